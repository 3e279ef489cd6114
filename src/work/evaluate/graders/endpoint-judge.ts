import { STATUS_CODES } from "node:http";
import { record } from "../../../host/recording/index.ts";
import { hideSecretsIn } from "../../../host/secrets/index.ts";
import { json, post } from "../../../host/sink/index.ts";
import {
  clipped,
  duration,
  errorWords,
  isObject,
  isTransientStatus,
  type JsonObject,
  numberOf,
  objectOf,
  parseObject,
  retryAfter,
  spelled,
  stringOf,
} from "../../../pure/base/index.ts";
import type { HarnessEvent, Tokens, Usage } from "../../../pure/events/index.ts";
import { noTokens } from "../../../pure/events/index.ts";
import type { EndpointSpec } from "../trial/index.ts";
import type { Judge, JudgeReply } from "./judge.ts";

/** A model's own endpoint as a judge: each attempt is one request without tools, and a recorded run. */
export function endpointJudge({ url, model, keyVariable = "JUDGE_API_KEY", timeoutMs }: EndpointSpec, dataDirectory?: string): Judge {
  const key = process.env[keyVariable];
  const secrets = key === undefined ? [] : [keyVariable];
  const address = `${url.replace(/\/+$/, "")}/chat/completions`;

  async function request(prompt: string, signal: AbortSignal): Promise<JudgeReply> {
    const late = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    try {
      const response = await post(address, {
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        body: json(hideSecretsIn({ model, temperature: 0, messages: [{ role: "user", content: prompt }] })),
        signal: late === undefined ? signal : AbortSignal.any([signal, late]),
      });
      return replyIn(response, await response.text());
    } catch (error) {
      if (late?.aborted) return { error: `no answer within ${duration(timeoutMs ?? 0)}`, usage: noTokens };
      return { error: chainOf(error), isTransient: true, usage: noTokens };
    }
  }

  return {
    name: model,
    async ask(prompt, signal) {
      let reply: JudgeReply = { error: "it was stopped", usage: noTokens };
      async function* events(): AsyncGenerator<HarnessEvent, void> {
        const runId = "judge";
        yield { type: "harness_start", runId, agent: "endpoint", model };
        reply = await request(prompt, signal);
        const { text, error, usage, costUsd } = reply;
        const used = usageOf(usage, costUsd);
        if (text !== undefined) yield { type: "text", runId, id: "answer", content: text };
        if (usage !== undefined) yield { type: "usage", runId, id: "usage", ...used };
        if (error !== undefined) yield { type: "error", runId, id: "error", message: error };
        yield { type: "harness_end", runId, reason: error === undefined ? "final" : "error", iterations: 1, totalUsage: used };
      }
      const recorded = record(events(), { dataDirectory, model, prompt, tags: ["judge"], secrets, signal });
      try {
        for await (const _ of recorded);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return { ...reply, run: recorded.id };
    },
  };
}

/** What an answer must end with to be complete. Some servers leave the reason out. */
const COMPLETE = new Set<unknown>(["stop", "end_turn", "stop_sequence", "eos", "eos_token", "", null, undefined]);
const PASSING = /overloaded|rate.?limit|too many requests|capacity/i;

export function replyIn({ status, ok, headers }: Pick<Response, "status" | "ok" | "headers">, text: string): JudgeReply {
  const body = parseObject(text);
  const problem = body?.["error"]; // some gateways answer 200 with an error
  if (!ok || isObject(problem) || typeof problem === "string") return failureOf(ok ? codeIn(problem) : status, problem ?? text, headers);
  if (body === undefined) return { error: `the answer is not JSON: ${clipped(text, 200)}`, usage: noTokens };
  const used = usedIn(objectOf(body["usage"]));
  const choices = body["choices"];
  const choice = objectOf(Array.isArray(choices) ? choices[0] : undefined) ?? {};
  const content = contentOf(objectOf(choice["message"])?.["content"]);
  const reason = choice["finish_reason"];
  if (!COMPLETE.has(reason)) return { error: `the answer is not complete (finish_reason: ${spelled(reason)})`, ...used };
  return content === "" ? { error: "the answer is empty", ...used } : { text: content, ...used };
}

function failureOf(status: number | undefined, problem: unknown, headers: Headers): JudgeReply {
  const said = clipped((stringOf(objectOf(problem)?.["message"]) ?? spelled(problem)).trim(), 500);
  const kind = isObject(problem) ? `${spelled(problem["type"])} ${said}` : said;
  const title = status === undefined ? "an error" : `HTTP ${status} ${STATUS_CODES[status] ?? ""}`.trim();
  return {
    error: said === "" ? title : `${title}: ${said}`,
    isTransient: (status !== undefined && isTransientStatus(status)) || (status !== 401 && status !== 403 && PASSING.test(kind)),
    retryAfterMs: retryAfter((name) => headers.get(name) ?? undefined, Date.now()),
  };
}

function codeIn(problem: unknown): number | undefined {
  const code = isObject(problem) ? Number(spelled(problem["code"] ?? problem["status"])) : Number.NaN;
  return Number.isInteger(code) && code >= 400 ? code : undefined;
}

/** A text, or a list of parts, of which only texts are the answer. */
function contentOf(content: unknown): string {
  if (!Array.isArray(content)) return stringOf(content) ?? "";
  const texts = content.flatMap((part: unknown) =>
    typeof part === "string" ? part : isObject(part) && (part["type"] === "text" || part["type"] === "output_text") ? part["text"] : [],
  );
  return texts.filter((text) => typeof text === "string").join("");
}

/** Providers include cached input in the prompt and reasoning in the completion; here the classes are disjoint. */
function usedIn(usage: JsonObject | undefined): Required<Pick<JudgeReply, "usage" | "costUsd">> {
  if (usage === undefined) return { usage: noTokens, costUsd: null };
  const [input, output] = [numberOf(usage["prompt_tokens"]), numberOf(usage["completion_tokens"])];
  const cacheRead = numberOf(objectOf(usage["prompt_tokens_details"])?.["cached_tokens"]);
  const reasoning = numberOf(objectOf(usage["completion_tokens_details"])?.["reasoning_tokens"]);
  return {
    usage: {
      input: input === undefined ? null : Math.max(0, input - (cacheRead ?? 0)),
      cacheRead: cacheRead ?? null,
      cacheWrite: null,
      output: output === undefined ? null : Math.max(0, output - (reasoning ?? 0)),
      reasoning: reasoning ?? null,
    },
    costUsd: numberOf(usage["cost"]) ?? null,
  };
}

function usageOf(usage: Tokens = noTokens, costUsd: number | null = null): Usage {
  const { input, output, reasoning, cacheRead } = usage;
  return {
    inputTokens: input,
    outputTokens: output === null ? null : output + (reasoning ?? 0),
    ...(cacheRead !== null && { cacheReadTokens: cacheRead }),
    ...(costUsd !== null && { costUsd }),
  };
}

/** The message of `fetch` is only "fetch failed"; the reason is in its cause. */
function chainOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  return cause === undefined || cause.message === "" ? errorWords(error) : `${errorWords(error)}: ${cause.message}`;
}
