import type { Permissions } from "../../pure/pipeline/index.ts";

/** The settings in force. What nobody set is absent or empty; flags are not here, and win over all of it. */
export interface Config {
  readonly agent?: string;
  readonly model?: string;
  readonly permissions?: Permissions;
  /** Milliseconds; 0 is no limit. */
  readonly timeout?: number;
  /** Milliseconds; 0 is no limit. */
  readonly idleTimeout?: number;
  readonly view?: string;
  readonly tags: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  /** Names of variables whose values are masked. */
  readonly secrets: readonly string[];
  readonly agents: ReadonlyMap<string, AgentConfig>;
}

/** `[agents.<id>]` */
export interface AgentConfig {
  /** An agent of the user's own: the absolute path of its module or schema. */
  readonly file?: string;
  /** An absolute path, or a name to look for on PATH. */
  readonly binary?: string;
  readonly model?: string;
  readonly permissions?: Permissions;
  /** Added to the arguments of every run. */
  readonly args: readonly string[];
  /** Aliases: the name people use, and the model it stands for. */
  readonly models: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string>;
}

/** The agents of the user's own, by id: their files. */
export function registeredAgents({ agents }: Config): ReadonlyMap<string, string> {
  return new Map([...agents].flatMap(([id, { file }]) => (file === undefined ? [] : [[id, file] as const])));
}

/** What the settings say about one agent: its own table first, the general settings where that is silent. */
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

/** The model behind a name: the agent's alias for it, or the name itself. An alias of an alias is a name like any other. */
export function resolveModel(config: Config, agentId: string, name: string): string {
  return config.agents.get(agentId)?.models.get(name) ?? name;
}
