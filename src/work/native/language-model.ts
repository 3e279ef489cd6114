import type { LanguageModel } from "ai";
import type { ModelAddress } from "../../pure/base/index.ts";
import { mergingFetch } from "./merge-frames.ts";
import { reasoningDetails } from "./reasoning-details.ts";

/** An SDK model: one protocol, one name. */
export type SdkModel = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;
export type SdkCall = Parameters<SdkModel["doStream"]>[0];
export type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
export type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;

/** Loads only the client of that protocol. Never reads the environment: the key is part of the address. */
export async function languageModel({ dialect, provider, name, baseUrl, apiKey, headers }: ModelAddress): Promise<SdkModel> {
  const settings = { baseURL: baseUrl, apiKey: apiKey ?? "none", headers: { ...headers }, fetch: mergingFetch };
  switch (dialect) {
    case "anthropic":
      return (await import("@ai-sdk/anthropic")).createAnthropic(settings)(name);
    case "openai":
      return (await import("@ai-sdk/openai")).createOpenAI(settings).responses(name);
    case "google":
      return (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings)(name);
    case "compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        ...settings,
        ...(apiKey === undefined && { apiKey: undefined }),
        name: provider,
        includeUsage: true,
        metadataExtractor: reasoningDetails(),
      })(name);
    }
  }
}
