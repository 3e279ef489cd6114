import { errorWords } from "../../pure/base/index.ts";
import type { Harness, HarnessEvent } from "../../pure/events/index.ts";
import { turnCollector } from "./collect-turn.ts";
import type { ProviderCall } from "./provider-harness.ts";
import type { Turn } from "./turn.ts";

export interface Answered {
  readonly turn: Turn;
  /** The model's run; a custom provider may start none. */
  readonly from: string | undefined;
}

type Heard = IteratorResult<HarnessEvent, unknown> | { readonly thrown: unknown } | "deaf";

/** How long a custom provider may take to stop after the signal. */
const GRACE_MS = 700;

/**
 * One answer of a model: its provider's events except for the calls, which follow when they are decided. Even a provider that throws, or
 * that does not stop, leaves no run open.
 */
export async function* oneAnswer(
  provider: Harness<ProviderCall>,
  call: ProviderCall & { readonly signal: AbortSignal },
): AsyncGenerator<HarnessEvent, Answered> {
  const ear = listener(provider.invoke(call)[Symbol.asyncIterator](), call.signal);
  const collected = turnCollector();
  const open = new Set<string>();
  let from: string | undefined;
  try {
    for (;;) {
      const heard = await ear.next();
      if (heard === "deaf") {
        yield* endsOf(open, collected.turn(), "Canceled", "canceled", call.parentId);
        const failure = { message: "Canceled", code: "canceled" as const, isTransient: false };
        return { turn: { ...collected.turn(), calls: [], failure }, from };
      }
      if ("thrown" in heard) {
        yield* endsOf(open, collected.turn(), errorWords(heard.thrown), "internal", call.parentId);
        throw heard.thrown;
      }
      if (heard.done) return { turn: isTurn(heard.value) ? heard.value : collected.turn(), from };
      const { value } = heard;
      collected.see(value);
      if (value.type === "harness_start") open.add(value.runId);
      if (value.type === "harness_end") open.delete(value.runId);
      if (value.type === "harness_start") from = value.runId;
      if (value.type !== "tool_call") yield value;
    }
  } finally {
    await ear.leave();
  }
}

function* endsOf(
  open: ReadonlySet<string>,
  { usage }: Turn,
  message: string,
  code: string,
  parentId: string | undefined,
): Generator<HarnessEvent> {
  for (const runId of [...open].reverse()) {
    const place = { runId, ...(parentId !== undefined && { parentId }) };
    yield { type: "error", ...place, id: `${runId}/error`, message, code };
    yield { type: "harness_end", ...place, reason: "error", iterations: 1, totalUsage: usage };
  }
}

/** Reads events one by one, until `signal` is aborted and the provider has had enough time to react. */
function listener(iterator: AsyncIterator<HarnessEvent, unknown>, signal: AbortSignal) {
  let settle: ((heard: Heard) => void) | undefined;
  let isWaiting = false; // for an event that has not come
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    timer = setTimeout(() => settle?.("deaf"), GRACE_MS);
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return {
    next: () =>
      new Promise<Heard>((resolve) => {
        settle = resolve;
        isWaiting = true;
        const heard = (what: Heard) => {
          isWaiting = false;
          resolve(what);
        };
        iterator.next().then(heard, (thrown: unknown) => heard({ thrown }));
      }),
    async leave(): Promise<void> {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      const leaving = iterator.return?.();
      if (!isWaiting)
        await leaving; // `return` would wait too
      else leaving?.catch(() => {});
    },
  };
}

function isTurn(value: unknown): value is Turn {
  return typeof value === "object" && value !== null && "calls" in value && "usage" in value;
}
