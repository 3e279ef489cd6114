import { addUsage, noUsage } from "../../pure/conversation/index.ts";
import type { HarnessEvent, Usage } from "../../pure/events/index.ts";
import type { SaidPart } from "./model-message.ts";
import type { RawCall, Turn } from "./turn.ts";

/** The result of one provider call, from its events alone, because a custom harness may offer nothing else. */
export function turnCollector() {
  const blocks = new Map<string, { readonly type: "text" | "reasoning"; text: string }>();
  const calls: RawCall[] = [];
  let usage: Usage = noUsage;
  let error: string | undefined;
  let reason: string | undefined;
  return {
    see(event: HarnessEvent): void {
      switch (event.type) {
        case "text":
        case "reasoning": {
          const block = blocks.get(event.id);
          if (block === undefined) blocks.set(event.id, { type: event.type, text: event.content });
          else block.text += event.content;
          break;
        }
        case "tool_call":
          calls.push({ id: event.id, name: event.name, input: event.input });
          break;
        case "usage":
          usage = addUsage(usage, event);
          break;
        case "error":
          error = event.message;
          break;
        case "harness_end":
          reason = event.reason;
          break;
      }
    },
    turn(): Turn {
      const isFailure = reason === "error";
      const said: readonly SaidPart[] = [...blocks.values()].filter(({ text }) => text !== "");
      const called = isFailure
        ? []
        : calls.map((call): SaidPart => ({ type: "tool-call", toolCallId: call.id, toolName: call.name, input: call.input }));
      const content = [...said, ...called];
      const failure = { message: error ?? "The model did not answer", code: "stream" as const, isTransient: false };
      return {
        ...(content.length > 0 && { message: { role: "assistant", content } }),
        calls: isFailure ? [] : calls,
        usage,
        ...(isFailure && { failure }),
      };
    },
  };
}
