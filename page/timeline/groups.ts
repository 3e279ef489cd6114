import { INNER, operationOf } from "../../src/pure/timeline/index.ts";
import { kindName } from "./kind-name.ts";

/** The filters of the timeline. */
export const groups = [
  { id: "talk", title: "Messages", isShown: true },
  { id: "thinking", title: "Thinking", isShown: true },
  { id: "write", title: "Writes", isShown: true },
  { id: "command", title: "Commands", isShown: true },
  { id: "look", title: "Reads", isShown: true },
  { id: "tool", title: "Other calls", isShown: true },
  { id: "agents", title: "Subagents", isShown: true },
  { id: "problem", title: "Problems", isShown: true },
  { id: "note", title: "Notes", isShown: true },
  { id: "detail", title: "Details", isShown: false },
] as const;

export type GroupId = (typeof groups)[number]["id"];
export type Shown = ReadonlySet<GroupId>;

export const usuallyShown: Shown = new Set(groups.filter(({ isShown }) => isShown).map(({ id }) => id));

/** The group of an event, as an index into `groups`. An end is a detail: the row of its start shows it. */
export function groupNumber(kind: number, flags: number, link: number): number {
  return numbers[groupOf(kind, flags, link)];
}

const numbers = Object.fromEntries(groups.map(({ id }, i) => [id, i])) as Readonly<Record<GroupId, number>>;

export const PROBLEM = numbers.problem;
export const DETAIL = numbers.detail;

function groupOf(kind: number, flags: number, link: number): GroupId {
  switch (kindName(kind)) {
    case "message":
      return "talk";
    case "reasoning":
      return "thinking";
    case "tool-start":
      return toolGroup(operationOf(flags));
    case "tool-end":
    case "tool-progress":
      return link === 0 ? "tool" : "detail";
    case "text-delta":
    case "reasoning-delta":
    case "usage":
    case "session":
      return "detail";
    case "notice":
      return (flags & INNER) === 0 ? "note" : "detail";
    case "subagent-start":
    case "subagent-end":
      return "agents";
    case "warning":
    case "error":
    case "unknown":
      return "problem";
    default:
      return "note";
  }
}

function toolGroup(operation: ReturnType<typeof operationOf>): GroupId {
  if (operation === "write" || operation === "command") return operation;
  return operation === "read" || operation === "search" || operation === "list" ? "look" : "tool";
}
