import { HarnessError } from "./errors.ts";

/** The wire protocol in which a model is spoken with. */
export type DialectId = "anthropic" | "openai" | "google" | "compatible";

/** Somebody who serves models: the first word of a model's id. */
export interface ModelProvider {
  readonly dialect: DialectId;
  readonly baseUrl: string;
  /** Variables that may hold its key, and its address, the first that is set counts. */
  readonly keys: readonly string[];
  readonly urls: readonly string[];
  /** A server that wants no key. */
  readonly isOpen?: true;
  /** Models of it that are spoken with otherwise, by the beginnings of their names. */
  readonly others?: readonly (readonly [string, DialectId])[];
}

/** OpenCode Zen serves each family in its own protocol: https://opencode.ai/docs/zen. */
const ZEN: ModelProvider["others"] = [
  ["claude-", "anthropic"],
  ["gpt-", "openai"],
  ["gemini-", "google"],
];

const providers: ReadonlyMap<string, ModelProvider> = new Map(
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
    /** Ollama's address; any server that speaks Chat Completions. */
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

/** Of every provider that wants a key: the variable to put it into. */
export const mainKeys: readonly string[] = [...providers.values()].filter(({ isOpen }) => !isOpen).flatMap(({ keys }) => keys.slice(0, 1));

/** Every variable that may hold a key. */
export const keyVariables: readonly string[] = [...providers.values()].flatMap(({ keys }) => keys);

/** How to reach models: what is given wins over the environment. */
export interface ModelAccess {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where keys and addresses are looked for that are not given. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A model, and all that is needed to speak with it. */
export interface ModelAddress {
  readonly provider: string;
  /** As its provider calls it. */
  readonly name: string;
  readonly dialect: DialectId;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** `anthropic/claude-sonnet-5` and the like: who serves it, in which protocol, at which address and with which key. */
export function modelAddress(id: string, access: ModelAccess): ModelAddress {
  const at = id.indexOf("/");
  const [name, model] = at === -1 ? ["", id] : [id.slice(0, at), id.slice(at + 1)];
  const provider = providers.get(name);
  if (provider === undefined || model === "")
    throw new HarnessError(
      "usage",
      `No model is called ${JSON.stringify(id)}: begin its name with ${providerNames.map((each) => `${each}/`).join(", ")}.`,
    );
  const dialect = provider.others?.find(([start]) => model.startsWith(start))?.[1] ?? provider.dialect;
  return { ...providerAddress(name, access), name: model, dialect };
}

/** A provider, and all that is needed to ask it which models it has. */
export type ProviderAddress = Omit<ModelAddress, "name">;

export function providerAddress(name: string, access: ModelAccess): ProviderAddress {
  const provider = providers.get(name);
  if (provider === undefined)
    throw new HarnessError("usage", `No provider of models is called ${JSON.stringify(name)}; there are ${providerNames.join(", ")}.`);
  const { baseUrl, apiKey } = reach(provider, access);
  if (apiKey === undefined && provider.isOpen === undefined)
    throw new HarnessError("usage", `There is no key for ${name}: set ${provider.keys[0]}.`);
  return { provider: name, dialect: provider.dialect, baseUrl, apiKey, headers: access.headers ?? {} };
}

/** Every provider that can be spoken with, as things are: the environment has its key, or it needs none. */
export function reachable({ environment, headers, ...given }: ModelAccess): readonly ProviderAddress[] {
  if (given.apiKey !== undefined || given.baseUrl !== undefined)
    throw new HarnessError("usage", 'A key and an address are those of one provider: say of which, as in supportedModels("openai").');
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

/** Some tools' addresses end where the version begins: a bare host means its usual place. */
function withPath(url: string, path: string): string {
  const spelled = (/^[a-z]+:\/\//i.test(url) ? url : `http://${url}`).replace(/\/+$/, "");
  if (!/^https?:\/\/[^/?#\s]+/i.test(spelled))
    throw new HarnessError("usage", `${JSON.stringify(url)} is no address of a model; write one like http://127.0.0.1:8080/v1.`);
  return /^[a-z]+:\/\/[^/]+$/i.test(spelled) ? spelled + path : spelled;
}
