import type { HarnessEvent, Usage } from "../../../pure/events/index.ts";
import type { ModelMessage } from "../model-message.ts";
import { type Turn, textOf } from "../turn.ts";
import { shortened } from "./shorten.ts";
import { plainSummary, SUMMARIZER, summaryMessage, summaryRequest } from "./summary.ts";
import { estimated, windowOf } from "./window.ts";

export interface ContextOptions {
  /** The model's context window in tokens. Default: what its vendor publishes; for other models, only the provider's error shows that it is full. */
  readonly window?: number;
  /** How many tokens of the latest messages stay verbatim when the others are summarized. Default: a fifth of the window, at most 20,000. */
  readonly keep?: number;
}

interface ContextRoom extends ContextOptions {
  readonly runId: string;
  readonly model: string;
  /** Asks the same model, without tools. */
  readonly ask: (system: string, messages: readonly ModelMessage[]) => AsyncGenerator<HarnessEvent, Turn>;
}

export interface ContextKeeper {
  /** Notes what the provider counted: `messages` includes the answer. */
  see(messages: readonly ModelMessage[], usage: Usage): void;
  /** The next answer might not fit. */
  isFull(messages: readonly ModelMessage[]): boolean;
  /** Replaces the beginning by a summary. Level 1 keeps less than level 0. Returns the new messages. */
  compact(messages: readonly ModelMessage[], trigger: "size" | "overflow", level: number): AsyncGenerator<HarnessEvent, ModelMessage[]>;
}

/** The rest is for the answer, and for what the estimate misses. */
const FULL = 0.8;
const MOST_KEPT = 20_000;
const CHARACTERS_PER_TOKEN = 3;
const LONGEST_TRANSCRIPT = 400_000;

/** Keeps a conversation within a model's context window. */
export function contextKeeper({ runId, model, ask, keep, ...options }: ContextRoom): ContextKeeper {
  let window = options.window ?? windowOf(model);
  let [reported, counted, overhead, compactions] = [0, 0, 0, 0];

  function sizeOf(messages: readonly ModelMessage[]): number {
    return counted > 0 ? reported + estimated(messages.slice(counted)) : overhead + estimated(messages);
  }

  async function* summaryOf(messages: readonly ModelMessage[], most: number): AsyncGenerator<HarnessEvent, string> {
    const turn = yield* withoutText(ask(SUMMARIZER, [{ role: "user", content: summaryRequest(messages, most) }]));
    const text = turn.failure === undefined ? textOf(turn).trim() : "";
    return text === "" ? plainSummary(messages, Math.min(most, MOST_KEPT)) : text;
  }

  return {
    see(messages, { inputTokens, outputTokens, cacheReadTokens = 0, cacheCreationTokens = 0 }) {
      if (inputTokens === null) return;
      counted = messages.length;
      reported = inputTokens + cacheReadTokens + cacheCreationTokens + (outputTokens ?? 0);
      overhead = Math.max(0, reported - estimated(messages));
    },
    isFull: (messages) => window !== undefined && sizeOf(messages) > window * FULL,
    async *compact(messages, trigger, level) {
      const tokensBefore = sizeOf(messages);
      if (trigger === "overflow") window = Math.min(window ?? tokensBefore, tokensBefore); // at most this large: next time before it is full
      const room = window ?? tokensBefore;
      const kept = Math.floor((keep ?? Math.min(MOST_KEPT, room / 5)) / 8 ** level);
      const at = cutOf(messages, kept);
      const longest = Math.max(1000, Math.floor((kept * CHARACTERS_PER_TOKEN) / 2));
      const tail = messages.slice(at).map((message) => shortened(message, longest));
      const head = messages.slice(0, at);
      const system = head.filter(({ role }) => role === "system");
      counted = 0;
      if (head.length === system.length) return [...system, ...tail];
      const most = Math.max(2000, Math.min(LONGEST_TRANSCRIPT, Math.floor((room / 2) * CHARACTERS_PER_TOKEN)) / 4 ** level);
      const summary = yield* summaryOf(head, most);
      const id = `${runId}/compaction-${++compactions}`;
      yield { type: "compaction", runId, id, content: summary, trigger, tokensBefore, kept: tail.length };
      return [...system, summaryMessage(summary), ...tail];
    },
  };
}

/** The index of the first kept message: never between a call and its result, and at least the last one stays. */
function cutOf(messages: readonly ModelMessage[], tokens: number): number {
  let at = messages.length;
  let sum = 0;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (message === undefined || message.role === "system") break;
    sum += estimated([message]);
    if (sum > tokens && at < messages.length) break;
    if (message.role !== "tool") at = i;
  }
  return at;
}

/** The summary's text is in the event of its compaction: here it would be a part of the agent's answer. */
async function* withoutText(events: AsyncGenerator<HarnessEvent, Turn>): AsyncGenerator<HarnessEvent, Turn> {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
    if (value.type !== "text" && value.type !== "reasoning") yield value;
  }
}
