import { STATUS_CODES } from "node:http";
import {
  arrayOf,
  HarnessError,
  type JsonObject,
  type ModelAccess,
  mainKeys,
  objectOf,
  type ProviderAddress,
  parseObject,
  providerAddress,
  reachable,
  wordOf,
} from "../../pure/base/index.ts";
import { failureOf } from "./failure.ts";

const PATIENCE_MS = 15_000;

/**
 * Asks one provider, or every reachable one, for its models. Returns those of the providers that answer. If none does, throws with the
 * reasons: no answer does not mean that there are no models.
 */
export async function listModels(access: ModelAccess, name?: string): Promise<readonly string[]> {
  const asked = name === undefined ? reachable(access) : [providerAddress(name, access)];
  const answers = await Promise.allSettled(asked.map(modelsOf));
  if (answers.every(({ status }) => status === "rejected")) throw noAnswer(asked, answers);
  return [...new Set(answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : [])))];
}

function noAnswer(asked: readonly ProviderAddress[], answers: readonly PromiseSettledResult<unknown>[]): HarnessError {
  const whys = answers.map((answer, index) => {
    const { provider, apiKey } = asked[index] ?? {};
    return `${provider}: ${answer.status === "rejected" ? failureOf(answer.reason, apiKey).message : ""}`;
  });
  const remedy = `Set the key of a provider (${mainKeys.join(", ")}), or LOCAL_MODEL_URL for your own server.`;
  return new HarnessError("start", `No provider listed its models (${whys.join("; ")}). ${remedy}`);
}

async function modelsOf({ provider, dialect, baseUrl, apiKey, headers }: ProviderAddress): Promise<readonly string[]> {
  const response = await fetch(`${baseUrl}/models${ALL[dialect] ?? ""}`, {
    headers: { ...headers, ...credentials(dialect, apiKey) },
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: "error", // a key never goes to a different host
  });
  if (!response.ok) throw new Error(`HTTP ${response.status} ${STATUS_CODES[response.status] ?? ""}`.trim());
  return modelsIn(await response.text(), provider);
}

export function modelsIn(text: string, provider: string): readonly string[] {
  const answer = parseObject(text);
  const entries = arrayOf(answer?.["data"]) ?? arrayOf(answer?.["models"]);
  if (entries === undefined) throw new Error("its answer is not a list of models");
  return entries.flatMap((entry) => {
    const model = objectOf(entry) ?? {};
    const name = wordOf(model["id"]) ?? wordOf(model["name"])?.replace(/^models\//, "");
    return name === undefined || !canAnswer(model) ? [] : [`${provider}/${name}`];
  });
}

/** By default a page has 20 or 50 models. No provider has more models than these limits. */
const ALL: Readonly<Partial<Record<ProviderAddress["dialect"], string>>> = { anthropic: "?limit=1000", google: "?pageSize=1000" };

/** Google lists what each model can do: some only embed. */
function canAnswer({ supportedGenerationMethods: methods }: JsonObject): boolean {
  return !Array.isArray(methods) || methods.includes("generateContent");
}

function credentials(dialect: ProviderAddress["dialect"], key: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  if (dialect === "anthropic") return { "x-api-key": key, "anthropic-version": "2023-06-01" };
  return dialect === "google" ? { "x-goog-api-key": key } : { authorization: `Bearer ${key}` };
}
