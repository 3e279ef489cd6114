import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { duration, errorWords } from "../../../pure/base/index.ts";
import { noTokens, type Used } from "../../../pure/events/index.ts";
import { type Judging, judgingOf } from "../trial/index.ts";
import type { Judge, JudgeReply } from "./judge.ts";

interface AskOptions {
  readonly signal: AbortSignal;
  /** The limit for all attempts together. */
  readonly timeoutMs: number;
}

/** A judge's answer, or why there is none; and in both cases what it took. */
type Asked = { readonly judging: Judging } & ({ readonly text: string; readonly nonce: string } | { readonly error: string });

const MOST_ATTEMPTS = 5;
const FIRST_WAIT_MS = 1000;
const GRACE_MS = 10_000;

/**
 * Asks until there is an answer, as long as another attempt may help. Waits as long as the provider asks, never past the limit. Never
 * rejects.
 */
export async function askJudge(judge: Judge, promptOf: (nonce: string) => string, { signal, timeoutMs }: AskOptions): Promise<Asked> {
  const nonce = randomBytes(9).toString("hex");
  const prompt = promptOf(nonce);
  const over = performance.now() + timeoutMs;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${duration(timeoutMs)}`)), timeoutMs);
  const stop = AbortSignal.any([signal, late.signal]);
  const runs: string[] = [];
  const used: Used[] = [];
  try {
    for (let attempt = 1; ; attempt++) {
      const reply = await replyOf(judge, prompt, stop, nonce);
      if (reply.isRecalled && reply.text !== undefined) return { text: reply.text, nonce, judging: judgingOf(judge.name, 0, [], []) };
      if (reply.run !== undefined) runs.push(reply.run);
      if (reply.usage !== undefined || reply.text !== undefined)
        used.push({ ...reply, usage: reply.usage ?? noTokens, costUsd: reply.costUsd ?? null });
      const judging = judgingOf(judge.name, attempt, runs, used);
      if (reply.text !== undefined && !stop.aborted) return { text: reply.text, nonce, judging };
      const error = stop.aborted ? errorWords(stop.reason) : (reply.error ?? "there is no answer");
      const wait = reply.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
      const isRepeated = reply.isTransient === true && !stop.aborted && attempt < MOST_ATTEMPTS;
      if (!isRepeated || performance.now() + wait >= over) return { error: withHint(error, reply, attempt), judging };
      await pause(wait, undefined, { signal: stop }).catch(() => {}); // the next attempt reports why it stopped
    }
  } finally {
    clearTimeout(timer);
  }
}

/** After the limit, the judge has a moment to end its run and report it. */
async function replyOf(judge: Judge, prompt: string, stop: AbortSignal, nonce: string): Promise<JudgeReply> {
  if (stop.aborted) return {};
  const settled = new AbortController();
  const given = async (): Promise<JudgeReply> => {
    try {
      const reply = await judge.ask(prompt, stop, nonce);
      return typeof reply === "string" ? { text: reply } : reply;
    } catch (error) {
      return { error: errorWords(error), usage: noTokens };
    }
  };
  const givenUp = async (): Promise<JudgeReply> => {
    await once(stop, "abort", { signal: settled.signal });
    await pause(GRACE_MS, undefined, { signal: settled.signal });
    return { usage: noTokens };
  };
  try {
    return await Promise.race([given(), givenUp()]);
  } finally {
    settled.abort();
  }
}

function withHint(error: string, { retryAfterMs }: JudgeReply, attempts: number): string {
  const hint = retryAfterMs === undefined ? "" : ` (asks to wait ${duration(retryAfterMs)})`;
  return `${error}${hint}${attempts > 1 ? `, after ${attempts} attempts` : ""}`;
}
