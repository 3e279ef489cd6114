import { resourceLimits } from "../../../host/limits/index.ts";
import type { RunOptions } from "../../../host/recording/index.ts";
import { learnSecrets, mcpSecrets, secretNames, secretValues } from "../../../host/secrets/index.ts";
import {
  either,
  flag,
  HarnessError,
  leaf,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
  valuesOf,
} from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import type { LocalCode } from "./local-code.ts";

export const milliseconds = leaf<number>({ type: "number", minimum: 0 }, (value) => Number.isFinite(value) && Number(value) >= 0);

const texts = list(text);
const mcpServer = either(
  object({ name: text, command: text, args: texts, env: valuesOf(text) }),
  object({ name: text, type: oneOf("http", "sse"), url: text, headers: valuesOf(text) }),
);

/** How to run an agent: fields of `RunOptions` that survive JSON. */
export const agentSettings = object({
  model: optional(text),
  effort: optional(text),
  permissions: optional(oneOf("full", "default", "read-only")),
  allow: optional(texts),
  deny: optional(texts),
  /** The name of a policy that decides calls: it is code, which only this process has. */
  enforce: optional(text),
  mcp: optional(list(mcpServer)),
  binary: optional(text),
  command: optional(text),
  like: optional(text),
  secrets: optional(texts),
  isolate: optional(text),
  network: optional(text),
  modelUrl: optional(text),
  wire: optional(flag),
  requireIsolation: optional(text),
  maxTurns: optional(number),
  maxBudgetUsd: optional(number),
  systemPrompt: optional(text),
  appendSystemPrompt: optional(text),
  extraArgs: optional(texts),
  name: optional(text),
  tags: optional(texts),
  timeoutMs: optional(milliseconds),
  idleTimeoutMs: optional(milliseconds),
  idleWarningMs: optional(milliseconds),
  afterResultMs: optional(milliseconds),
  graceMs: optional(milliseconds),
  resourceLimits: optional(resourceLimits),
  /** Variables to add. Null passes on the executing process's value, so that it is not written down. */
  env: optional(valuesOf(nullable(text))),
});
export type AgentSettings = Static<typeof agentSettings>;

/** An agent with its settings. */
export interface AgentEntry extends Omit<AgentSettings, "env" | "enforce"> {
  /** An id, an alias, a file with your own agent, or the agent itself. */
  readonly agent: string | Agent;
  /** Variables to add. Null or undefined passes on the executing process's value, so that it is not written down. */
  readonly env?: Readonly<Record<string, string | null | undefined>>;
  /** Decides calls before they run; `livePolicy` reads one from a policy file. */
  readonly enforce?: RunOptions["enforce"];
}

/** The settings of an entry as plain data. */
export function settingsOf({ agent: _, enforce, ...settings }: AgentEntry, { policies }: Pick<LocalCode, "policies">): AgentSettings {
  const env = Object.entries(settings.env ?? {}).map(([name, value]) => [name, value ?? null]);
  const name = enforce && (enforce.id ?? `policy ${policies.size + 1}`);
  if (enforce !== undefined && name !== undefined) policies.set(name, enforce);
  return plain({ ...settings, ...(name !== undefined && { enforce: name }), env: Object.fromEntries(env) });
}

/** From now on, what the agent gets and no one else may see is hidden. Call it before anything of a trial is written. */
export function learnSettings(settings: AgentSettings): void {
  const { secrets = [], mcp = [] } = settings;
  const env = variablesOf(settings.env);
  const all = { ...process.env, ...env };
  learnSecrets([...secretValues(all, secretNames(all, secrets)), ...mcp.flatMap(mcpSecrets)]);
}

/** The same without undefined values, which JSON cannot represent. */
export function plain<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Rejects a policy that this process does not have: without it, the agent would not be held back. */
export function runOptionsOf(
  { env = {}, enforce: name, ...settings }: AgentSettings,
  { policies }: Pick<LocalCode, "policies">,
): Omit<RunOptions, "prompt"> {
  const enforce = name === undefined ? undefined : policies.get(name);
  if (name !== undefined && enforce === undefined)
    throw new HarnessError("usage", `${name} is not known in this process. Run the trials in the process that read the policy.`);
  return { ...settings, ...(enforce !== undefined && { enforce }), env: variablesOf(env) };
}

function variablesOf(env: AgentSettings["env"] = {}): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? undefined]));
}
