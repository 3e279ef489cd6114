import type { Harness, HarnessEvent } from "../../core/harness-event.ts";
import { turnCollector } from "../collect-turn.ts";
import type { ProviderCall } from "../provider-harness.ts";
import { retryDelay, waited } from "../retry.ts";
import type { Turn } from "../turn.ts";

const RETRIES = 2;

/** One answer of a model, with all that is told of it; asked again where it failed and that may help. */
export async function* askModel(
  provider: Harness<ProviderCall>,
  call: ProviderCall & { readonly signal: AbortSignal },
): AsyncGenerator<HarnessEvent, Turn & { readonly text: string }> {
  for (let attempt = 0; ; attempt++) {
    const turn = yield* askedOnce(provider, call);
    const delay = attempt < RETRIES && !call.signal.aborted ? retryDelay(turn, attempt) : undefined;
    if (delay === undefined || !(await waited(delay, call.signal))) return { ...turn, text: textOf(turn) };
  }
}

async function* askedOnce(provider: Harness<ProviderCall>, call: ProviderCall): AsyncGenerator<HarnessEvent, Turn> {
  const iterator = provider.invoke(call)[Symbol.asyncIterator]();
  const collected = turnCollector();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) {
        isDone = true;
        return isTurn(value) ? value : collected.turn();
      }
      collected.see(value);
      yield value;
    }
  } finally {
    if (!isDone) await iterator.return?.();
  }
}

function textOf({ message }: Turn): string {
  const { content = "" } = message ?? {};
  return typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function isTurn(value: unknown): value is Turn {
  return typeof value === "object" && value !== null && "calls" in value && "usage" in value;
}
