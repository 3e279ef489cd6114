import { type JsonObject, spelled } from "../../../pure/base/index.ts";
import { artifactsOf, block, objects as list } from "../audit/index.ts";

export { artifactsOf, block, isRelative, objects as list, summaryOf } from "../audit/index.ts";

/** A broken requirement: the index of the event, and the problem. */
export interface Breach {
  readonly event: number;
  readonly problem: string;
}

/** One requirement of specification 003 or of our decisions about it. All but the first few may rely on the nine events being complete and in order. */
export interface Must {
  readonly id: string;
  readonly must: string;
  readonly breach: (events: readonly JsonObject[]) => Breach | undefined;
}

export type Test = (event: JsonObject, index: number, events: readonly JsonObject[]) => string | undefined | false;

export const UNAVAILABLE = "commands_observation_unavailable";
export const STATUSES = ["pass", "warn", "fail", "unknown"];
export const GROUPS = ["alignment", "quality", "policy"] as const;

export function every(id: string, must: string, test: Test): Must {
  return { id, must, breach: (events) => breachIn(events, () => true, test) };
}

export function of(type: string, id: string, must: string, test: Test): Must {
  return { id, must, breach: (events) => breachIn(events, (event) => event["event_type"] === type, test) };
}

export function breachIn(events: readonly JsonObject[], applies: (event: JsonObject) => boolean, test: Test): Breach | undefined {
  for (const [index, event] of events.entries()) {
    const problem = applies(event) ? test(event, index, events) : undefined;
    if (typeof problem === "string") return { event: index, problem };
  }
  return undefined;
}

export function missing(of: JsonObject, key: string): string | undefined {
  return typeof of[key] === "string" && of[key] !== "" ? undefined : `${key} is missing`;
}

export function twice(events: readonly JsonObject[], index: number, key: string): string | undefined {
  return events.findIndex((each) => each[key] === events[index]?.[key]) < index ? `${key} repeats that of an earlier event` : undefined;
}

export function other(event: JsonObject, events: readonly JsonObject[], key: string): string | undefined {
  return JSON.stringify(event[key]) === JSON.stringify(events[0]?.[key]) ? undefined : `${key} differs from the first event`;
}

export function checksOf(event: JsonObject, group: string): readonly JsonObject[] {
  return list(block(block(event, "evaluation"), group)["checks"]);
}

export function typeIs(event: JsonObject, ...types: readonly string[]): string | false {
  const type = block(event, "agent_action")["action_type"];
  return !types.includes(spelled(type)) && `the action type is ${quoted(type)}`;
}

export function diffOf(event: JsonObject): JsonObject | undefined {
  return artifactsOf(event).find(({ id }) => id === "fs_diff.patch");
}

export function logOf(event: JsonObject): JsonObject | undefined {
  return artifactsOf(event).find(({ content_ref: ref }) => ref === "artifacts/command_logs.jsonl");
}

/** A stream that could not be kept has only one name: ours. */
export function isLost(event: JsonObject, stream: string): boolean {
  return artifactsOf(event).find(({ id }) => id === `agent_${stream}`)?.["content_ref"] === null;
}

export function quoted(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? "nothing";
}
