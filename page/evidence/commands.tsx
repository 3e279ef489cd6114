import { useState } from "preact/hooks";
import { counted, duration, printable } from "../../src/pure/base/index.ts";
import type { CommandsObservedBody } from "../../src/pure/events/index.ts";
import { hrefOf } from "../router.ts";
import type { PageEvent } from "../source/index.ts";

type Command = Extract<PageEvent, { readonly type: "command-observed" }>;

const FEW = 50;
const LONGEST = 300;

export function Commands(props: {
  readonly commands: readonly Command[];
  readonly watched: CommandsObservedBody | undefined;
  readonly run: string;
}) {
  const { commands, watched, run } = props;
  const [most, setMost] = useState(FEW);
  return (
    <section>
      <h2>
        Commands observed{" "}
        <span class="muted small">
          {watched === undefined || watched.observed === null ? "not known" : counted(watched.observed, "command")}
          {watched !== undefined && watched.sources.length > 0 && `, by ${watched.sources.join(" and ")}`}
        </span>
      </h2>
      {watched !== undefined && !watched.available && <p class="muted small">They were not observed: {watched.reason ?? "unknown"}.</p>}
      {watched?.problem !== undefined && <p class="problem error">{printable(watched.problem)}</p>}
      {commands.length > 0 && (
        <ol class="plain commands">
          {commands.slice(0, most).map((command) => (
            <li key={command.seq}>
              <a href={hrefOf("runs", run, command.seq)} title={`Event ${command.seq}`}>
                <code>{printable(command.argv.join(" ").slice(0, LONGEST))}</code>
              </a>
              <span class="muted small">{command.category}</span>
              {command.exitCode !== 0 && (
                <span class={`status ${command.exitCode === null ? "warn" : "bad"}`}>
                  {command.signal ?? (command.exitCode === null ? "end not seen" : `exit ${command.exitCode}`)}
                </span>
              )}
              <span class="mono small muted took">{duration(command.durationMs)}</span>
            </li>
          ))}
        </ol>
      )}
      {commands.length > most && (
        <button type="button" class="link" onClick={() => setMost(most + 500)}>
          Show more of {counted(commands.length, "command")}
        </button>
      )}
    </section>
  );
}
