import { errorWords } from "../../pure/base/index.ts";
import type { ToolOutput } from "../../pure/events/index.ts";

/** A tool call that is about to be decided on. */
export interface HookedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly toolCallId: string;
}

export interface ToolHooks {
  /** Before a call is decided on: denies it, or changes its arguments. The changed call is what permissions judge and events report. */
  readonly before?: (call: HookedCall) => HookAnswer | PromiseLike<HookAnswer>;
  /** After a call: may change what the model sees. */
  readonly after?: (call: HookedCall & { readonly output: ToolOutput }) => ToolOutput | undefined | PromiseLike<ToolOutput | undefined>;
}

type HookAnswer = { readonly deny: string } | { readonly input: unknown } | undefined;

/** A hook that fails denies the call: it may have been there to prevent it. */
export async function hookedBefore({ before }: ToolHooks, call: HookedCall): Promise<HookAnswer> {
  try {
    return await before?.(call);
  } catch (error) {
    return { deny: `The hook before the call failed: ${errorWords(error)}` };
  }
}

/** A hook that fails replaces the result by its error: it may have been there to hide something. */
export async function hookedAfter({ after }: ToolHooks, call: HookedCall, output: ToolOutput): Promise<ToolOutput> {
  try {
    return (await after?.({ ...call, output })) ?? output;
  } catch (error) {
    return { error: `The hook after the call failed: ${errorWords(error)}` };
  }
}
