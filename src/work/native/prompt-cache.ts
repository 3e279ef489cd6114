import type { ModelAddress } from "../../pure/base/index.ts";
import type { SdkCall } from "./language-model.ts";
import type { ProviderData } from "./model-message.ts";

const EPHEMERAL = { type: "ephemeral" } as const;

/**
 * Anthropic caches a prompt up to the marks in it: one after tools and system prompt, which never change, and one at the end, where the
 * next request continues. The other protocols cache without marks.
 */
export function cached(prompt: SdkCall["prompt"], address: ModelAddress | undefined): SdkCall["prompt"] {
  if (address?.dialect !== "anthropic") return prompt;
  const marked = new Set([prompt.findLastIndex(({ role }) => role === "system"), prompt.length - 1]);
  return prompt.map((message, index) => (marked.has(index) ? withMark(message) : message));
}

function withMark<M extends SdkCall["prompt"][number]>(message: M): M {
  const { anthropic, ...others } = message.providerOptions ?? {};
  return { ...message, providerOptions: { ...others, anthropic: { cacheControl: EPHEMERAL, ...anthropic } } };
}

/** OpenAI sends requests with the same key to the same cache. OpenRouter sets Anthropic's mark itself, if it is asked to. */
export function cacheOptions(
  address: ModelAddress | undefined,
  run: string | undefined,
  given: ProviderData | undefined,
): ProviderData | undefined {
  if (address?.dialect === "openai" && run !== undefined)
    return { ...given, openai: { promptCacheKey: run.slice(0, 64), ...given?.["openai"] } };
  if (address?.provider === "openrouter" && address.name.startsWith("anthropic/"))
    return { ...given, openrouter: { cache_control: EPHEMERAL, ...given?.["openrouter"] } };
  return given;
}
