import { duration, isObject, outputSummary, printable, stringOf } from "../../src/pure/base/index.ts";
import type { Operation } from "../../src/pure/events/index.ts";
import { Diff, LongText, Patch } from "../parts/index.ts";
import type { PageEvent } from "../source/index.ts";
import { changesOf } from "./changes-of.ts";
import { rawText } from "./event-body.tsx";

type Start = Extract<PageEvent, { readonly type: "tool-start" }>;
type End = Extract<PageEvent, { readonly type: "tool-end" }>;

interface Props {
  readonly start: Start;
  readonly end: End | undefined;
  readonly hasEnd: boolean;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

export function ToolCard({ start, end, hasEnd, isOpen, toggle }: Props) {
  const operations = end?.operations ?? start.operations;
  const [first] = operations;
  const changes = isOpen ? changesOf(start.input) : [];
  return (
    <div class={`tool op-${first?.kind ?? "other"}${end?.success === false ? " failed" : ""}`}>
      <button type="button" class="opener" aria-expanded={isOpen} onClick={toggle}>
        <span class="name">{printable(start.tool)}</span>
        <code class="about">{printable(aboutOf(operations, start.input))}</code>
        <span class="outcome">
          <Outcome end={end} hasEnd={hasEnd} />
          <span class="took mono">{end === undefined ? "" : duration(end.at - start.at)}</span>
        </span>
      </button>
      {!isOpen && end?.output !== undefined && outputSummary(end.output, end.success === false) !== "" && (
        <p class="preview mono">{printable(outputSummary(end.output, end.success === false))}</p>
      )}
      {isOpen && (
        <div class="folded">
          {operations.length > 1 && (
            <ul class="operations">
              {operations.map((operation, i) => (
                <li key={i}>
                  <span class="muted">{operation.kind}</span> <code>{printable(subjectOf(operation))}</code>
                </li>
              ))}
            </ul>
          )}
          {changes.map((change, i) => (
            <div key={i}>
              {change.path !== undefined && <h4>{printable(change.path)}</h4>}
              {"patch" in change ? <Patch text={change.patch} /> : <Diff before={change.before} after={change.after} />}
            </div>
          ))}
          {changes.length === 0 && first?.kind === "command" && <LongText text={first.command} label="Command" />}
          {changes.length === 0 && first?.kind !== "command" && <LongText text={rawText(start.input, 2)} label="Input" />}
          {end?.output !== undefined && <LongText text={end.output} label="Output" />}
          {end === undefined && !hasEnd && <p class="muted">The call has not ended yet.</p>}
        </div>
      )}
    </div>
  );
}

function Outcome({ end, hasEnd }: { readonly end: End | undefined; readonly hasEnd: boolean }) {
  if (end === undefined) return hasEnd ? null : <span class="status live">open</span>;
  if (end.interrupted) return <span class="status warn">interrupted</span>;
  if (end.exitCode !== undefined && end.exitCode !== 0) return <span class="status bad">exit {end.exitCode}</span>;
  if (end.success === false) return <span class="status bad">failed</span>;
  return null;
}

/** The call in one line. */
export function aboutOf(operations: readonly Operation[], input: unknown): string {
  const [first] = operations;
  const text = first === undefined ? (purposeOf(input) ?? rawText(input)) : subjectOf(first);
  const more = operations.length > 1 ? ` and ${operations.length - 1} more` : "";
  return `${text.split("\n")[0]?.slice(0, 200) ?? ""}${more}`;
}

/** The task of a call that starts a subagent; agents use different field names. */
function purposeOf(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  for (const name of ["description", "prompt", "task", "instructions"]) {
    const text = stringOf(input[name]);
    if (text !== undefined && text !== "") return text;
  }
  return undefined;
}

function subjectOf(operation: Operation): string {
  switch (operation.kind) {
    case "command":
      return operation.command;
    case "search":
      return operation.path === undefined ? operation.query : `${operation.query} in ${operation.path}`;
    case "read":
    case "write":
      return operation.startLine === undefined ? operation.path : `${operation.path}:${operation.startLine}`;
    default:
      return operation.path ?? "";
  }
}
