import { collapse, createGraph, outline, reduceEvent, type Step, versionOf } from "../../src/pure/conversation/index.ts";
import { eventReader } from "../../src/pure/events/index.ts";
import type { Evaluated } from "../../src/pure/pipeline/index.ts";
import { conversation } from "../../src/pure/views/index.ts";
import type { PageEvent } from "../source/index.ts";

export interface Steps {
  readonly steps: readonly Step[];
  /** The event of each step. */
  readonly seqOf: ReadonlyMap<string, number>;
}

/** The steps of the conversation, as `harness graph` draws them. */
export function stepsOf(events: readonly PageEvent[], evaluated: Evaluated): Steps {
  const eventOf = eventReader();
  const view = conversation.open({ evaluated });
  const seqOf = new Map<string, number>();
  let graph = createGraph();
  for (const event of events) {
    for (const each of view.push(eventOf(event))) {
      graph = reduceEvent(graph, each);
      const id = versionOf(graph).store.runs.get(each.runId)?.last.id;
      if (id !== undefined && !seqOf.has(id)) seqOf.set(id, event.seq);
    }
  }
  for (const each of view.end()) graph = reduceEvent(graph, each);
  return { steps: collapse(outline(graph)), seqOf };
}
