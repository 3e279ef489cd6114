import { nothing } from "../base/index.ts";
import type { BodyOf, EventBody, ToolStartBody } from "../events/index.ts";
import type { Withheld } from "./agent.ts";

/**
 * A model that asks for a tool which would write or run something, and is not offered, was denied it: a level of permissions, a mode or a
 * rule withheld it. Any other name is the model's mistake.
 */
export function denialOf(
  end: EventBody,
  start: ToolStartBody | undefined,
  withheld: readonly Withheld[] = nothing,
): BodyOf<"permission-decision"> | undefined {
  if (end.type !== "tool-end" || end.success !== false || start === undefined) return undefined;
  const text = end.output?.slice(0, 500);
  if (text === undefined) return undefined;
  const isDenied = withheld.some(({ says, tools }) => says.test(text) && (isOneOf(tools, start.tool) || changesTheWorld(start)));
  if (!isDenied) return undefined;
  const { callId, tool, parent } = start;
  return { type: "permission-decision", callId, tool, decision: "deny", reason: text.split("\n", 1)[0], parent, rule: "tool-withheld" };
}

/** A model may spell a name that it was not offered in its own way. */
function isOneOf(tools: readonly string[], tool: string): boolean {
  return tools.some((each) => each.toLowerCase() === tool.toLowerCase());
}

/** Reading, listing and searching change nothing. A call without known operations does not count as progress. */
export function changesTheWorld(body: ToolStartBody): boolean {
  for (const { kind } of body.operations) if (kind === "write" || kind === "command") return true;
  return false;
}
