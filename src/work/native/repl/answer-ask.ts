import { isObject } from "../../../pure/base/index.ts";
import type { HarnessEvent, ToolOutput } from "../../../pure/events/index.ts";
import type { SubagentEnd } from "../tool-context.ts";
import type { Ask } from "./engine-message.ts";

/** What a program may ask for, and who does it. Each throws what the program is told. */
export interface Helpers {
  query(prompt: string): AsyncGenerator<HarnessEvent, string>;
  /** Absent where that would go too deep. */
  readonly recurse?: (prompt: string, context: unknown) => AsyncGenerator<HarnessEvent, SubagentEnd>;
  /** Absent where there is no workspace. */
  readonly exec?: (command: string) => Promise<ToolOutput>;
  /** Waits for a free place, so that no more than so many are asked at once. */
  readonly place: <T>(work: () => Promise<T>) => Promise<T>;
  /** Throws where no more may be asked. */
  spend(queries: number): void;
}

/** Does what a program asked for, and tells how that goes. */
export async function answerAsk(ask: Ask, helpers: Helpers, emit: (event: HarnessEvent) => void): Promise<unknown> {
  switch (ask.what) {
    case "llm_query":
      helpers.spend(ask.prompts.length);
      return await allOf(ask.prompts.map((prompt) => helpers.place(() => told(helpers.query(prompt), emit))));
    case "sub_rlm": {
      if (helpers.recurse === undefined) throw new Error("It may not go any deeper: use llm_query.");
      helpers.spend(1);
      const { text, reason } = await told(helpers.recurse(ask.prompt, ask.context), emit);
      if (reason === "error") throw new Error(`sub_rlm failed: ${text || "it gave no answer"}`);
      return text;
    }
    case "exec": {
      if (helpers.exec === undefined) throw new Error("There is no workspace to run commands in.");
      return execAnswer(await helpers.exec(ask.command));
    }
    default:
      throw new Error("Nobody can do that.");
  }
}

/** What all of them came to, or what went wrong first: but not before the last of them has ended. */
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

async function told<T>(events: AsyncGenerator<HarnessEvent, T>, emit: (event: HarnessEvent) => void): Promise<T> {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
    emit(value);
  }
}
