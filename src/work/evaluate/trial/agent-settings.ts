import type { RunOptions } from "../../../host/recording/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";

/** How an agent is asked. */
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
  /** Variables to add; null passes on the value that the executing process has, so that it need not be written down. */
  readonly env?: Readonly<Record<string, string | null | undefined>>;
}

/** An agent, and how it is asked. */
export interface AgentEntry extends AgentSettings {
  /** An id, an alias, the file of an agent of your own, or the agent itself. */
  readonly agent: string | Agent;
}

/** The settings of an entry as plain data. */
export function settingsOf({ agent: _, ...settings }: AgentEntry): AgentSettings {
  const env = Object.entries(settings.env ?? {}).map(([name, value]) => [name, value ?? null]);
  return plain({ ...settings, env: Object.fromEntries(env) });
}

/** The same without what is undefined, which JSON cannot say. */
export function plain<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Settings as a run takes them. */
export function runOptionsOf({ env = {}, ...settings }: AgentSettings): Omit<RunOptions, "prompt"> {
  return { ...settings, env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? undefined])) };
}
