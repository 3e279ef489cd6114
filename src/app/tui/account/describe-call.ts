import { clip } from "../../../pure/base/index.ts";
import type { Operation } from "../../../pure/events/index.ts";
import { asText } from "./as-text.ts";

/** What a tool call does, in words: `read` `src/a.ts:1-20`. The verb is safe to print; the text is as hostile as its agent. */
export interface Deed {
  readonly verb: string;
  readonly text: string;
}

interface Request {
  readonly tool: string;
  readonly input: unknown;
  readonly operations: readonly Operation[];
}

/** Operations of one call that are looked at; a row has no room for more. */
const MOST = 40;
export const LONGEST_NAME = 40;
/** Longer commands are not looked into. */
const LONGEST_WRAPPED = 10_000;

/** By its operations where they are known, else by its name and its input. Paths below the working directory are shown from there. */
export function describeCall({ tool, input, operations }: Request, cwd: string | undefined): Deed {
  if (operations.length === 0) return { verb: clip(tool, LONGEST_NAME), text: asText(input) };
  let verb = "";
  let last = "";
  const parts = new Set<string>(); // a search with a fallback says the same thing twice
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

/** `bash -lc 'npm test'` says nothing more than `npm test`. Where quotes could change the meaning, the command stays as it is. */
function unwrapped(command: string): string {
  if (command.length > LONGEST_WRAPPED) return command;
  const script = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|k|z)?sh -l?c (?:'([^']+)'|"([^"\\$`]+)"|([\w./-]+))$/.exec(command);
  return script?.[1] ?? script?.[2] ?? script?.[3] ?? command;
}
