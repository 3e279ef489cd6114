import type { Judge } from "./judge.ts";

/** What judges answered in recorded runs, found again by the question. */
export interface RecalledAnswers {
  add(answer: { readonly prompt: string; readonly text: string }): void;
  /** The answer to the same question, with this nonce. */
  find(prompt: string, nonce: string): string | undefined;
}

/** The marks and the nonce of a question are drawn anew each time. */
const DRAWN = /\b[0-9a-f]{18}\b/g;
const NONCE = /\{"nonce": "([0-9a-f]{18})",[^\n]*$/;

export function recalledAnswers(): RecalledAnswers {
  const answers = new Map<string, { readonly nonce: string; readonly text: string }>();
  return {
    add({ prompt, text }) {
      const nonce = NONCE.exec(prompt)?.[1];
      if (nonce !== undefined) answers.set(prompt.replace(DRAWN, ""), { nonce, text });
    },
    find(prompt, nonce) {
      const found = answers.get(prompt.replace(DRAWN, ""));
      return found?.text.replaceAll(found.nonce, nonce);
    },
  };
}

/** A judge that is not asked what it has answered before. */
export function recallingJudge(judge: Judge, recalled: RecalledAnswers): Judge {
  return {
    ...judge,
    async ask(prompt, signal, nonce) {
      const text = recalled.find(prompt, nonce);
      return text === undefined ? judge.ask(prompt, signal, nonce) : { text, isRecalled: true };
    },
  };
}
