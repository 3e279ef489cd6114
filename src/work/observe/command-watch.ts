import type { Launcher } from "../../host/process/index.ts";
import type { CommandObservedBody, CommandsObservedBody } from "../../pure/events/index.ts";

/** How to watch an agent's commands. */
export interface WatchOptions {
  readonly wrap: readonly string[];
  /** Trace program starts, writes outside the workspace, and connections, if the machine allows it. */
  readonly trace: boolean;
  readonly path: string | undefined;
  /** The BASH_ENV that the agent would have. */
  readonly bashEnv?: string;
  /** A new private directory outside the workspace, only for us. The caller removes it afterwards. */
  readonly directory: string;
  /** The path of `command_logs.jsonl`. `collect` writes it once, with `trace_effects.jsonl` next to it. */
  readonly log: string;
}

/** What we need to know about a run to interpret its trace. */
export interface TracedRun {
  /** The real path, without links. */
  readonly workspace: string;
  /** The links in the workspace before the start, by relative path. */
  readonly links: ReadonlyMap<string, string>;
  /** The files in the workspace that have several names after the end, by relative path. */
  readonly shared: readonly string[];
  /** All paths of the agent's own program, and the names of such programs. */
  readonly programs: readonly string[];
  readonly names: readonly string[];
  /** The files it was given for its output. */
  readonly given: readonly string[];
  readonly home?: string;
}

/** A watch on an agent's commands. Neither call rejects: the summary reports problems. */
export interface CommandWatch {
  /** The agent's variables, including PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Only if the agent can be traced: wraps the launcher that would start the agent. */
  traced?(launcher: Launcher): Launcher;
  /** Call it after the agent's end. Returns everything that was seen, in order, and a summary. Without `run`: program starts only. */
  collect(run?: TracedRun): Promise<{ readonly commands: readonly CommandObservedBody[]; readonly summary: CommandsObservedBody }>;
}

export type WatchCommands = (options: WatchOptions) => Promise<CommandWatch>;
