import type { HarnessEvent } from "../events/index.ts";

/** The id of the node that an event is, or belongs to as a chunk; undefined for an event without an id. */
export function nodeIdOf(event: HarnessEvent): string | undefined {
  switch (event.type) {
    case "harness_start":
      return `${event.runId}:start`;
    case "harness_end":
      return `${event.runId}:end`;
    case "tool_result":
      return `${event.id}:result`;
    default:
      return event.id;
  }
}
