import { isObject } from "../../../pure/base/index.ts";
import type { EndpointSpec } from "../trial/index.ts";
import type { Judge } from "./judge.ts";

/** A model's own endpoint as a judge: one request, no tools, no temperature. */
export function endpointJudge({ url, model, keyVariable = "JUDGE_API_KEY", timeoutMs = 120_000 }: EndpointSpec): Judge {
  const key = process.env[keyVariable];
  return {
    name: model,
    async ask(prompt, signal) {
      const response = await fetch(`${url.replace(/\/+$/, "")}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, temperature: 0, messages: [{ role: "user", content: prompt }] }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const body: unknown = await response.json().catch(() => undefined);
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      const content = isObject(body) && Array.isArray(body["choices"]) ? body["choices"][0]?.message?.content : undefined;
      if (typeof content !== "string" || content === "") throw new Error("the answer is empty");
      return content;
    },
  };
}
