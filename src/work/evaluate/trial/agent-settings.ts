import type { RunOptions } from "../../../host/recording/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";

/** How to run an agent. */
export interface AgentSettings
  extends Pick<
    RunOptions,
    | "model"
    | "permissions"
    | "allow"
    | "deny"
    | "mcp"
    | "binary"
    | "command"
    | "like"
    | "secrets"
    | "maxTurns"
    | "maxBudgetUsd"
    | "systemPrompt"
    | "appendSystemPrompt"
    | "extraArgs"
    | "name"
    | "tags"
    | "timeoutMs"
    | "idleTimeoutMs"
    | "idleWarningMs"
    | "afterResultMs"
    | "graceMs"
  > {
  /** Variables to add. Null passes on the executing process's value, so that it is not written down. */
  readonly env?: Readonly<Record<string, string | null | undefined>>;
}

/** An agent with its settings. */
export interface AgentEntry extends AgentSettings {
  /** An id, an alias, a file with your own agent, or the agent itself. */
  readonly agent: string | Agent;
}

/** The settings of an entry as plain data. */
export function settingsOf({ agent: _, ...settings }: AgentEntry): AgentSettings {
  const env = Object.entries(settings.env ?? {}).map(([name, value]) => [name, value ?? null]);
  return plain({ ...settings, env: Object.fromEntries(env) });
}

/** The same without undefined values, which JSON cannot represent. */
export function plain<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function runOptionsOf({ env = {}, ...settings }: AgentSettings): Omit<RunOptions, "prompt"> {
  return { ...settings, env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? undefined])) };
}
