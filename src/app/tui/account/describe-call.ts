import { clip } from "../../../pure/base/index.ts";
import type { Operation } from "../../../pure/events/index.ts";
import { asText } from "./as-text.ts";

/** A tool call as text: `read` `src/a.ts:1-20`. The verb is safe to print; the text comes from the agent and is not. */
export interface Deed {
  readonly verb: string;
  readonly text: string;
}

interface Request {
  readonly tool: string;
  readonly input: unknown;
  readonly operations: readonly Operation[];
}

/** A row has no room for more operations. */
const MOST = 40;
export const LONGEST_NAME = 40;
/** Longer commands are shown unchanged. */
const LONGEST_WRAPPED = 10_000;

/** Describes a call by its operations, or by its name and input if they are unknown. Paths are relative to the working directory. */
export function describeCall({ tool, input, operations }: Request, cwd: string | undefined): Deed {
  if (operations.length === 0) return { verb: clip(tool, LONGEST_NAME), text: asText(input) };
  let verb = "";
  let last = "";
  const parts = new Set<string>(); // a search with a fallback has two equal parts
  for (const operation of operations.slice(0, MOST)) {
    const { verb: does, text } = describeOne(operation, cwd);
    verb ||= does;
    const isSame = last === "" || last === does;
    last = does;
    parts.add(isSame ? text : `${does} ${text}`);
  }
  return { verb, text: [...parts].join(", ") };
}

function describeOne(operation: Operation, cwd: string | undefined): Deed {
  switch (operation.kind) {
    case "read":
    case "write":
      return { verb: operation.kind, text: `${shortPath(operation.path, cwd)}${lines(operation)}` };
    case "search": {
      const where = operation.path === undefined ? "." : shortPath(operation.path, cwd);
      return { verb: "search", text: `"${operation.query}"${where === "." ? "" : ` in ${where}`}` };
    }
    case "list":
      return { verb: "list", text: operation.path === undefined ? "." : shortPath(operation.path, cwd) };
    case "command": {
      const where = operation.workingDirectory === undefined ? "." : shortPath(operation.workingDirectory, cwd);
      return { verb: "$", text: `${unwrapped(operation.command)}${where === "." ? "" : ` (in ${where})`}` };
    }
    case "skill":
      return { verb: "skill", text: operation.skillName ?? shortPath(operation.path, cwd) };
  }
}

function lines({ startLine, endLine }: { startLine?: number; endLine?: number }): string {
  if (startLine === undefined) return endLine === undefined ? "" : `:1-${endLine}`;
  if (startLine === endLine) return `:${startLine}`;
  return endLine === undefined ? `:${startLine}-` : `:${startLine}-${endLine}`;
}

function shortPath(path: string, cwd: string | undefined): string {
  if (cwd === undefined || cwd === "") return path;
  if (path === cwd) return ".";
  const base = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return path.length > base.length && path.startsWith(base) ? path.slice(base.length) : path;
}

/** Shortens `bash -lc 'npm test'` to `npm test`, unless quotes could change the meaning. */
function unwrapped(command: string): string {
  if (command.length > LONGEST_WRAPPED) return command;
  const script = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|k|z)?sh -l?c (?:'([^']+)'|"([^"\\$`]+)"|([\w./-]+))$/.exec(command);
  return script?.[1] ?? script?.[2] ?? script?.[3] ?? command;
}
