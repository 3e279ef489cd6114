import type { HarnessEvent, ToolOutput } from "../../pure/events/index.ts";
import { callOrder } from "./call-order.ts";
import { channel } from "./channel.ts";
import { outputOf } from "./conversation-of.ts";
import type { ModelMessage, ToolResultPart } from "./model-message.ts";
import { type CallRoom, performCall } from "./perform-call.ts";
import { places } from "./places.ts";
import type { SubagentEnd } from "./tool-context.ts";
import type { RawCall } from "./turn.ts";

/** Runs the calls of one turn, those that only read in parallel, and emits their progress. Emits and returns the results in the order of the calls. */
export type CallLoop = (
  calls: readonly RawCall[],
  messages: readonly ModelMessage[],
  from: string,
) => AsyncGenerator<HarnessEvent, ToolResultPart[]>;

interface LoopOptions extends Omit<CallRoom, "emit" | "messages" | "order" | "parentId" | "place" | "subagent"> {
  readonly concurrency: number;
  /** Stops everything: the reader is gone. */
  readonly abandon: () => void;
  readonly subagent: ((callId: string, messages: readonly ModelMessage[]) => AsyncGenerator<HarnessEvent, SubagentEnd>) | undefined;
}

export function callLoop(options: LoopOptions): CallLoop {
  const { runId, subagent } = options;
  const place = places(options.concurrency);
  const used = new Set<string>();

  /** Some models restart the numbers of their calls in every turn. Here every call has a unique id. */
  function idOf(raw: string): string {
    let id = `${runId}/${raw}`;
    for (let count = 2; used.has(id); count++) id = `${runId}/${raw}~${count}`;
    used.add(id);
    return id;
  }

  return async function* run(calls, messages, parentId) {
    const out = channel<HarnessEvent>();
    const emit = (event: HarnessEvent) => out.push(event);
    const room: CallRoom = {
      ...options,
      emit,
      messages,
      order: callOrder(),
      parentId,
      place,
      subagent: (callId) => (subagent === undefined ? undefined : (asked) => relayed(subagent(callId, asked), emit)),
    };
    const performed = calls.map((call) => performCall(call, idOf(call.id), room));
    const results: ToolResultPart[] = [];
    const telling = (async () => {
      for (const [index, call] of calls.entries()) {
        const result = await performed[index];
        if (result === undefined) continue;
        emit(result);
        results.push({ type: "tool-result", toolCallId: call.id, toolName: call.name, output: outputOf(result.output as ToolOutput) });
      }
    })().finally(() => out.close());
    let isTold = false;
    try {
      yield* out;
      isTold = true;
    } finally {
      if (!isTold) options.abandon();
      await telling;
    }
    return results;
  };
}

/** Forwards the events of a subagent and returns how it ended. */
async function relayed(events: AsyncGenerator<HarnessEvent, SubagentEnd>, emit: (event: HarnessEvent) => void): Promise<SubagentEnd> {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
    emit(value);
  }
}
