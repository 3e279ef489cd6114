import type { RunOptions } from "../../host/recording/index.ts";
import type { Level } from "../../pure/isolation/index.ts";
import type { Agent } from "../../pure/pipeline/index.ts";

/** What an agent without an account gets as its key. No provider sees it. */
const KEY = "sk-placeholder-recorded-model";

/**
 * Leads the agent to its recorded model: a model on this machine by its address, a provider by a key, if the user has none. A run that
 * continues with a live model needs the user's own.
 */
export function withPlaceholders(
  { env = {}, environment = process.env, modelUrl, agent }: Omit<RunOptions, "prompt"> & { readonly agent: Agent },
  origins: readonly string[],
  level: Level,
  isLive: boolean,
): Pick<RunOptions, "env" | "modelUrl"> {
  if (modelUrl !== undefined || isLive) return {};
  const { providers = [] } = agent;
  const set = { ...environment, ...env };
  const [local] = origins.filter((origin) => /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+$/.test(origin));
  const isGiven = providers.some(({ keys, variables = [] }) => [...keys, ...variables].some((name) => set[name]));
  if (local !== undefined && (level === "sealed" || level === "container")) return { modelUrl: local };
  if (isGiven || local !== undefined) return {};
  const used = providers.filter(({ url }) => URL.canParse(url) && origins.includes(new URL(url).origin));
  const keys = (used.length > 0 ? used : providers).flatMap(({ keys: [first] }) => first ?? []);
  return { env: { ...env, ...Object.fromEntries(keys.map((name) => [name, KEY])) } };
}
