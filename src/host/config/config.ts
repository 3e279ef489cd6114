import type { Permissions } from "../../pure/pipeline/index.ts";
import type { ResourceLimits } from "../limits/index.ts";

/** The settings in force. A setting that no file has is absent or empty. Flags are not included; they override settings. */
export interface Config {
  readonly agent?: string;
  readonly model?: string;
  readonly permissions?: Permissions;
  /** The level of isolation. */
  readonly isolate?: string;
  /** What a sealed run can reach. */
  readonly network?: string;
  /** Milliseconds; 0 means no limit. */
  readonly timeout?: number;
  /** Milliseconds; 0 means no limit. */
  readonly idleTimeout?: number;
  /** What a run may use. */
  readonly limit?: ResourceLimits;
  readonly view?: string;
  readonly tags: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  /** Names of variables with values to mask. */
  readonly secrets: readonly string[];
  readonly agents: ReadonlyMap<string, AgentConfig>;
}

/** `[agents.<id>]` */
export interface AgentConfig {
  /** The absolute path of the module or schema of a user-defined agent. */
  readonly file?: string;
  /** An absolute path, or a name to look for on PATH. */
  readonly binary?: string;
  readonly model?: string;
  readonly permissions?: Permissions;
  /** Added to the arguments of every run. */
  readonly args: readonly string[];
  /** Maps an alias to the model it stands for. */
  readonly models: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string>;
}

/** The files of the user-defined agents, by id. */
export function registeredAgents({ agents }: Config): ReadonlyMap<string, string> {
  return new Map([...agents].flatMap(([id, { file }]) => (file === undefined ? [] : [[id, file] as const])));
}

/** The settings for one agent: its own table first, then the general settings. */
export function settingsFor(config: Config, agentId: string): AgentConfig {
  const own = config.agents.get(agentId);
  return {
    binary: own?.binary,
    model: own?.model ?? config.model,
    permissions: own?.permissions ?? config.permissions,
    args: own?.args ?? [],
    models: own?.models ?? new Map(),
    env: new Map([...config.env, ...(own?.env ?? [])]),
  };
}

/** The model behind a name: the agent's alias for it, or the name itself. Aliases are resolved once, not recursively. */
export function resolveModel(config: Config, agentId: string, name: string): string {
  return config.agents.get(agentId)?.models.get(name) ?? name;
}
