import { isAbsolute, relative } from "node:path";
import type { Activity } from "../../pure/views/index.ts";
import type { OperationCount } from "./judgement.ts";
import type { Pin } from "./pin.ts";
import { shown } from "./shown.ts";

const OPERATIONS = ["command", "read", "write", "search", "list", "skill"] as const;

/** The fields of an operation that are compared, by name. */
type Facts = Readonly<Record<string, unknown>>;

export interface ComparedOperations extends OperationCount {
  readonly problems: readonly string[];
}

/** Compares sets, never positions: every expected operation must be found, and every found one must be expected. */
export function compareOperations(
  expected: readonly Facts[],
  activity: readonly Activity[],
  pin: Pin,
  workspace: string,
): ComparedOperations {
  const found = activity.flatMap((event) => operationOf(event, pin, workspace));
  const visible = expected.filter(({ subagent }) => subagent !== true || pin.showsSubagents).map((entry) => wanted(entry, pin));
  const missing = visible.filter((want) => {
    const index = found.findIndex((have) => Object.entries(want).every(([key, value]) => have[key] === value));
    if (index >= 0) found.splice(index, 1);
    return index < 0;
  });
  // An operation that exists with wrong fields is wrong, not missing.
  const left = [...found];
  const absent = missing.filter(({ type, what }) => {
    const index = left.findIndex((have) => have["type"] === type && have["what"] === what);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return {
    right: visible.length - missing.length,
    wrong: found.length,
    missing: absent.length,
    problems: [
      ...missing.map((each) => `missing operation: ${shown(each)}`),
      ...found.map((each) => `unexpected operation: ${shown(each)}`),
    ],
  };
}

/** `{ read: README.md }` is a successful read. More keys add conditions: `success: null` is for an unknown end, and `any` matches everything. */
function wanted(entry: Facts, { showsExitCodes, skillsAreFiles }: Pin): Facts {
  const type = OPERATIONS.find((word) => word in entry);
  if (type === undefined) throw new Error(`an expected operation is one of ${OPERATIONS.join(", ")}: ${shown(entry)}`);
  const { [type]: what, success = true, exitCode, ...rest } = entry;
  if (type === "skill" && skillsAreFiles) return { type: "read", what: `.agents/skills/${String(what)}/SKILL.md`, success };
  // Some agents do not report how a command ended: then a success is unknown.
  const isShown = type !== "command" || showsExitCodes;
  return {
    type,
    what,
    ...(success === "any" ? {} : { success: isShown ? success : null }),
    ...(exitCode === undefined || !isShown ? {} : { exitCode }),
    ...rest,
  };
}

function operationOf(event: Activity, pin: Pin, workspace: string): readonly Facts[] {
  if (!OPERATIONS.some((word) => word === event.type)) return [];
  const { command, query, path, skillName, isSuccess = null, exitCode, startLine, endLine } = event as Partial<OperationFields>;
  const inside = path === undefined ? undefined : insideOf(path, workspace);
  const what = (command && pin.command(command)) ?? query ?? skillName ?? inside;
  const subagent = event.subagentId !== undefined;
  return [{ type: event.type, what, path: inside, success: isSuccess, exitCode, startLine, endLine, subagent }];
}

interface OperationFields {
  readonly command: string;
  readonly query: string;
  readonly path: string;
  readonly skillName: string;
  readonly isSuccess: boolean;
  readonly exitCode: number;
  readonly startLine: number;
  readonly endLine: number;
}

function insideOf(path: string, workspace: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(workspace, path);
  return inside.startsWith("..") ? path : inside || ".";
}
