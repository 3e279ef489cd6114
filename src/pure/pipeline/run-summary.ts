import { textTail } from "../base/index.ts";
import { type BodyOf, type Event, type RunEndBody, usageSum } from "../events/index.ts";

/** Of longer plain output only the end is kept. */
const OUTPUT_CAP = 64 * 1024;

/** Connections of a run, and the bytes they carried. */
export interface NetworkSum {
  readonly allowed: number;
  readonly denied: number;
  readonly up: number;
  readonly down: number;
}

function added(sum: NetworkSum | undefined, { decision, up, down }: BodyOf<"connection">): NetworkSum {
  const { allowed, denied, ...bytes } = sum ?? { allowed: 0, denied: 0, up: 0, down: 0 };
  const isAllowed = decision === "allow";
  return { allowed: allowed + Number(isAllowed), denied: denied + Number(!isAllowed), up: bytes.up + up, down: bytes.down + down };
}

/** Folds events into what every view with one final verdict needs. O(1) per event. */
export function runSummary() {
  const usage = usageSum();
  const subagents = new Set<string>();
  const plain = textTail(OUTPUT_CAP); // a plain line of a generic agent is one piece of the answer
  let sessionId: string | null = null;
  let model: string | null = null;
  let lastText: string | null = null;
  let resultText: string | null = null;
  let declaredMs: number | null = null;
  let toolCalls = 0;
  let unknown = 0;
  let end: RunEndBody | undefined;
  let network: NetworkSum | undefined;

  return {
    see({ body: event }: Event): void {
      usage.see(event);
      switch (event.type) {
        case "run-start":
          model = event.model ?? null;
          break;
        case "session":
          sessionId ??= event.sessionId ?? null;
          model = event.model ?? model;
          break;
        case "message":
          if (event.role !== "assistant" || event.parent !== undefined || event.text === "") break;
          lastText = event.continues ? `${lastText ?? ""}${event.text}` : event.text;
          if (event.raw !== undefined) plain.add(event.text);
          break;
        case "tool-start":
          toolCalls++;
          break;
        case "subagent-start":
        case "subagent-end":
          subagents.add(event.subagentId);
          break;
        case "result":
          resultText = event.text ?? null;
          if (event.durationMs !== undefined) declaredMs = (declaredMs ?? 0) + event.durationMs;
          break;
        case "unknown":
          unknown++;
          break;
        case "connection":
          network = added(network, event);
          break;
        case "run-end":
          end = event;
          break;
      }
    },
    /** The usage events so far, whatever they cover. */
    used: usage,
    /** What a sealed run reached and tried to reach, so far. Undefined: nothing. */
    network: (): NetworkSum | undefined => network,
    summary() {
      const used = usage.used();
      return {
        status: end?.status ?? null,
        /**
         * The run's final answer, the same for every agent, view, check and grader: the text of the agent's last result; else its last
         * message, all parts joined; for plain output, all of it. Null: it gave none.
         */
        output: resultText || plain.text() || lastText || null,
        sessionId,
        model,
        /** Of the whole run, or unknown; numbers of a part stand apart. */
        usage: used.usage,
        cost: used.costUsd,
        ...(used.partialUsage && { partialUsage: used.partialUsage }),
        ...(used.partialCost && { partialCost: used.partialCost }),
        subagents: subagents.size,
        toolCalls,
        /** Measured if possible, else the sum of what the agent declares. */
        durationMs: end?.durationMs ?? declaredMs,
        exitCode: end?.exitCode ?? null,
        signal: end?.signal ?? null,
        reason: end?.reason ?? null,
        unknown,
      };
    },
  };
}
