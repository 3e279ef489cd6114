import type { Harness, HarnessEvent } from "../../../pure/events/index.ts";
import { oneAnswer } from "../one-answer.ts";
import type { ProviderCall } from "../provider-harness.ts";
import { retryPlan, waited } from "../retry.ts";
import { type Turn, textOf } from "../turn.ts";

/** One answer of a model with its events; retries if that may help. */
export async function* askModel(
  provider: Harness<ProviderCall>,
  call: ProviderCall & { readonly signal: AbortSignal },
): AsyncGenerator<HarnessEvent, Turn & { readonly text: string }> {
  const plan = retryPlan({});
  for (;;) {
    const { turn } = yield* oneAnswer(provider, call);
    const delay = turn.failure === undefined || call.signal.aborted ? undefined : plan.next(turn.failure);
    if (delay === undefined || !(await waited(delay, call.signal))) return { ...turn, text: textOf(turn) };
  }
}
