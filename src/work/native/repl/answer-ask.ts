import { isObject } from "../../../pure/base/index.ts";
import type { HarnessEvent, ToolOutput } from "../../../pure/events/index.ts";
import type { SubagentEnd } from "../tool-context.ts";
import type { Ask } from "./engine-message.ts";

/** The functions that a program may call. They throw messages for the program. */
export interface Helpers {
  query(prompt: string): AsyncGenerator<HarnessEvent, string>;
  /** Absent at the last level. */
  readonly recurse?: (prompt: string, context: unknown) => AsyncGenerator<HarnessEvent, SubagentEnd>;
  /** Absent without a workspace. */
  readonly exec?: (command: string) => Promise<ToolOutput>;
  /** Waits for a free slot, which limits how many questions run in parallel. */
  readonly place: <T>(work: () => Promise<T>) => Promise<T>;
  /** Throws if the limit is reached. */
  spend(queries: number): void;
}

/** Handles a program's request and emits its progress. */
export async function answerAsk(ask: Ask, helpers: Helpers, emit: (event: HarnessEvent) => void): Promise<unknown> {
  switch (ask.what) {
    case "llm_query":
      helpers.spend(ask.prompts.length);
      return await allOf(ask.prompts.map((prompt) => helpers.place(() => forwarded(helpers.query(prompt), emit))));
    case "sub_rlm": {
      if (helpers.recurse === undefined) throw new Error("This is the last level: use llm_query.");
      helpers.spend(1);
      const { text, reason } = await forwarded(helpers.recurse(ask.prompt, ask.context), emit);
      if (reason === "error") throw new Error(`sub_rlm failed: ${text || "it gave no answer"}`);
      return text;
    }
    case "exec": {
      if (helpers.exec === undefined) throw new Error("exec is not available: there is no workspace.");
      return execAnswer(await helpers.exec(ask.command));
    }
    default:
      throw new Error("Unknown function.");
  }
}

/** All answers, or the first failure, but only after the last one has ended. */
async function allOf<T>(answers: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(answers);
  return await Promise.all(answers);
}

function execAnswer(output: ToolOutput): object {
  if ("status" in output) throw new Error(`exec is not permitted: ${output.reason}`);
  if ("error" in output) throw new Error(output.error);
  const exitCode = isObject(output.result) ? (output.result["exitCode"] ?? null) : null;
  return { output: output.context, exitCode };
}

async function forwarded<T>(events: AsyncGenerator<HarnessEvent, T>, emit: (event: HarnessEvent) => void): Promise<T> {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
    emit(value);
  }
}
