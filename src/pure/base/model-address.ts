import { HarnessError } from "./errors.ts";

/** The wire protocol a model speaks. */
export type DialectId = "anthropic" | "openai" | "google" | "compatible";

/** A service that serves models: the first part of a model's id. */
export interface ModelProvider {
  readonly dialect: DialectId;
  readonly baseUrl: string;
  /** Variables that may hold its key and its address. The first one that is set counts. */
  readonly keys: readonly string[];
  readonly urls: readonly string[];
  /** The server needs no key. */
  readonly isOpen?: true;
  /** Models that speak a different protocol, by the prefix of their name. */
  readonly others?: readonly (readonly [string, DialectId])[];
}

/** OpenCode Zen serves each family in its own protocol: https://opencode.ai/docs/zen. */
const ZEN: ModelProvider["others"] = [
  ["claude-", "anthropic"],
  ["gpt-", "openai"],
  ["gemini-", "google"],
];

export const providers: ReadonlyMap<string, ModelProvider> = new Map(
  Object.entries<ModelProvider>({
    anthropic: {
      dialect: "anthropic",
      baseUrl: "https://api.anthropic.com/v1",
      keys: ["ANTHROPIC_API_KEY"],
      urls: ["ANTHROPIC_BASE_URL"],
    },
    openai: { dialect: "openai", baseUrl: "https://api.openai.com/v1", keys: ["OPENAI_API_KEY"], urls: ["OPENAI_BASE_URL"] },
    google: {
      dialect: "google",
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
      keys: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
      urls: ["GOOGLE_GEMINI_BASE_URL"],
    },
    openrouter: {
      dialect: "compatible",
      baseUrl: "https://openrouter.ai/api/v1",
      keys: ["OPENROUTER_API_KEY"],
      urls: ["OPENROUTER_BASE_URL"],
    },
    zen: {
      dialect: "compatible",
      baseUrl: "https://opencode.ai/zen/v1",
      keys: ["OPENCODE_API_KEY", "OPENCODE_ZEN_API_KEY"],
      urls: ["OPENCODE_ZEN_BASE_URL"],
      others: ZEN,
    },
    /** Ollama's address by default; any server that speaks Chat Completions works. */
    local: {
      dialect: "compatible",
      baseUrl: "http://127.0.0.1:11434/v1",
      keys: ["LOCAL_MODEL_API_KEY"],
      urls: ["LOCAL_MODEL_URL", "OLLAMA_HOST"],
      isOpen: true,
    },
  }),
);

export const providerNames: readonly string[] = [...providers.keys()];

/** For each provider that needs a key, the variable to put it in. */
export const mainKeys: readonly string[] = [...providers.values()].filter(({ isOpen }) => !isOpen).flatMap(({ keys }) => keys.slice(0, 1));

/** Every variable that may hold a key. */
export const keyVariables: readonly string[] = [...providers.values()].flatMap(({ keys }) => keys);

/** How to reach models. Explicit values win over the environment. */
export interface ModelAccess {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Searched for keys and addresses that were not passed. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A model, and everything needed to talk to it. */
export interface ModelAddress {
  readonly provider: string;
  /** The provider's name for the model. */
  readonly name: string;
  readonly dialect: DialectId;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Resolves a model id such as `anthropic/claude-sonnet-5`: its provider, protocol, address and key. */
export function modelAddress(id: string, access: ModelAccess): ModelAddress {
  const at = id.indexOf("/");
  const [name, model] = at === -1 ? ["", id] : [id.slice(0, at), id.slice(at + 1)];
  const provider = providers.get(name);
  if (provider === undefined || model === "")
    throw new HarnessError(
      "usage",
      `Unknown model ${JSON.stringify(id)}: start its name with its provider: ${providerNames.map((each) => `${each}/`).join(", ")}.`,
    );
  const dialect = provider.others?.find(([start]) => model.startsWith(start))?.[1] ?? provider.dialect;
  return { ...providerAddress(name, access), name: model, dialect };
}

/** A provider, and everything needed to ask for its models. */
export type ProviderAddress = Omit<ModelAddress, "name">;

export function providerAddress(name: string, access: ModelAccess): ProviderAddress {
  const provider = providers.get(name);
  if (provider === undefined)
    throw new HarnessError("usage", `Unknown model provider ${JSON.stringify(name)}. Known: ${providerNames.join(", ")}.`);
  const { baseUrl, apiKey } = reach(provider, access);
  if (apiKey === undefined && provider.isOpen === undefined)
    throw new HarnessError("usage", `No API key for ${name}: set ${provider.keys[0]}.`);
  return { provider: name, dialect: provider.dialect, baseUrl, apiKey, headers: access.headers ?? {} };
}

/** Every provider that is usable now: the environment has its key, or it needs none. */
export function reachable({ environment, headers, ...given }: ModelAccess): readonly ProviderAddress[] {
  if (given.apiKey !== undefined || given.baseUrl !== undefined)
    throw new HarnessError("usage", '`apiKey` and `baseUrl` belong to one provider: name it, as in supportedModels("openai").');
  const access = { environment, ...(headers !== undefined && { headers }) };
  return [...providers]
    .filter(([, provider]) => provider.isOpen || reach(provider, access).apiKey !== undefined)
    .map(([name]) => providerAddress(name, access));
}

function reach(provider: ModelProvider, { baseUrl, apiKey, environment }: ModelAccess) {
  const first = (names: readonly string[]) => names.map((name) => environment[name]).find((value) => value !== undefined && value !== "");
  const given = baseUrl ?? first(provider.urls);
  const path = provider.dialect === "google" ? "/v1beta" : "/v1";
  return {
    baseUrl: given === undefined ? provider.baseUrl : withPath(given, path),
    apiKey: apiKey ?? first(provider.keys),
  };
}

/** Adds the version path to a bare host, because some tools' addresses end before it. */
function withPath(url: string, path: string): string {
  const spelled = (/^[a-z]+:\/\//i.test(url) ? url : `http://${url}`).replace(/\/+$/, "");
  if (!/^https?:\/\/[^/?#\s]+/i.test(spelled))
    throw new HarnessError("usage", `Invalid model address ${JSON.stringify(url)}: write one like http://127.0.0.1:8080/v1.`);
  return /^[a-z]+:\/\/[^/]+$/i.test(spelled) ? spelled + path : spelled;
}
