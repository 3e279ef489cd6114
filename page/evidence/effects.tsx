import { counted, printable, whole } from "../../src/pure/base/index.ts";
import type { TraceEffects } from "../../src/pure/events/index.ts";

const LONGEST = 300;
const LABELS = { write: "written", socket: "asked", connection: "connected" } as const;

/** The first effects outside the workspace that a trace saw; the log has all. */
export function Effects({ effects }: { readonly effects: TraceEffects }) {
  const { writes, sockets, connections, first, gaps } = effects;
  const total = writes + sockets + connections;
  return (
    <section>
      <h2>
        Outside the workspace{" "}
        <span class="muted small">
          {counted(writes, "place")} written, {counted(connections, "connection")}, {counted(sockets, "socket")} asked
        </span>
      </h2>
      {gaps.length > 0 && (
        <p class="problem error">
          The trace is incomplete:{" "}
          {printable(gaps.map(({ reason, count, example = "" }) => `${reason} ×${count} ${example}`.trim()).join("; "))}
        </p>
      )}
      {first.length > 0 && (
        <ol class="plain effects">
          {first.map(({ kind, target, by, call, argv, count }) => (
            <li key={`${by} ${kind} ${target}`} title={printable(`${call} by ${argv.join(" ")}`.slice(0, LONGEST))}>
              <code>{printable(target.slice(0, LONGEST))}</code>
              <span class="muted small">
                {LABELS[kind]}
                {count > 1 && ` ×${count}`} by {by === "agent" ? "the agent" : printable((argv[0] ?? "a command").slice(0, LONGEST))}
              </span>
            </li>
          ))}
        </ol>
      )}
      {total > first.length && <p class="muted small">All {whole(total)} are in trace_effects.jsonl.</p>}
    </section>
  );
}
