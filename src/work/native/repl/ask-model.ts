import type { Harness, HarnessEvent } from "../../../pure/events/index.ts";
import { oneAnswer } from "../one-answer.ts";
import type { ProviderCall } from "../provider-harness.ts";
import { retryDelay, waited } from "../retry.ts";
import { type Turn, textOf } from "../turn.ts";

const RETRIES = 2;

/** One answer of a model with its events; retries if that may help. */
export async function* askModel(
  provider: Harness<ProviderCall>,
  call: ProviderCall & { readonly signal: AbortSignal },
): AsyncGenerator<HarnessEvent, Turn & { readonly text: string }> {
  for (let attempt = 0; ; attempt++) {
    const { turn } = yield* oneAnswer(provider, call);
    const delay = attempt < RETRIES && !call.signal.aborted ? retryDelay(turn, attempt) : undefined;
    if (delay === undefined || !(await waited(delay, call.signal))) return { ...turn, text: textOf(turn) };
  }
}
