import { arrayOf, objectOf, parseObject, wordOf } from "../core/json.ts";
import { type ModelAccess, type ModelAddress, reachable } from "../core/model-address.ts";

const PATIENCE_MS = 15_000;

/** Asks every provider that can be reached which models it has. One that does not answer has none to tell. */
export async function listModels(access: ModelAccess): Promise<readonly string[]> {
  const lists = await Promise.all(reachable(access).map((provider) => modelsOf(provider).catch(() => [])));
  return [...new Set(lists.flat())];
}

async function modelsOf({ provider, dialect, baseUrl, apiKey, headers }: Omit<ModelAddress, "name">): Promise<readonly string[]> {
  const response = await fetch(`${baseUrl}/models`, {
    headers: { ...headers, ...credentials(dialect, apiKey) },
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: "error", // a key goes to nobody else
  });
  if (!response.ok) return [];
  const answer = parseObject(await response.text()) ?? {};
  const entries = arrayOf(answer["data"]) ?? arrayOf(answer["models"]) ?? [];
  return entries.flatMap((entry) => {
    const name = wordOf(objectOf(entry)?.["id"]) ?? wordOf(objectOf(entry)?.["name"])?.replace(/^models\//, "");
    return name === undefined ? [] : [`${provider}/${name}`];
  });
}

function credentials(dialect: ModelAddress["dialect"], key: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  if (dialect === "anthropic") return { "x-api-key": key, "anthropic-version": "2023-06-01" };
  return dialect === "google" ? { "x-goog-api-key": key } : { authorization: `Bearer ${key}` };
}
