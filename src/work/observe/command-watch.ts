import type { Launcher } from "../../host/process/index.ts";
import type { CommandObservedBody, CommandsObservedBody } from "../../pure/events/index.ts";

/** What is to be watched of an agent's commands. */
export interface WatchOptions {
  /** Names to wrap; empty: none. */
  readonly wrap: readonly string[];
  /** Trace every start of a program, what is written beside the workspace, and connections, where the machine allows it. */
  readonly trace: boolean;
  /** The PATH that the agent would have. */
  readonly path: string | undefined;
  /** The BASH_ENV that the agent would have. */
  readonly bashEnv?: string;
  /** A directory of our own, private, new, outside the workspace; the caller removes it when all is over. */
  readonly directory: string;
  /** Where `command_logs.jsonl` is to be written, once, by `collect`; `trace_effects.jsonl` beside it. */
  readonly log: string;
}

/** What must be known of a run to tell what its trace shows. */
export interface TracedRun {
  /** As the system names it, without links. */
  readonly workspace: string;
  /** The links in it before the start, by their paths in it. */
  readonly links: ReadonlyMap<string, string>;
  /** The agent's own program, by all its paths, and what such programs are called. */
  readonly programs: readonly string[];
  readonly names: readonly string[];
  /** Files it was given to write to. */
  readonly given: readonly string[];
  readonly home?: string;
}

/** Commands being watched. Neither call rejects: what went wrong is said in the summary. */
export interface CommandWatch {
  /** Variables the agent is started with, PATH among them. */
  readonly env: Readonly<Record<string, string>>;
  /** Only if the agent can be traced: the launcher that does it, around the one that would start the agent. */
  traced?(launcher: Launcher): Launcher;
  /** After the agent's end: everything that was seen, in order, and the summary of it. Without `run`: starts of programs only. */
  collect(run?: TracedRun): Promise<{ readonly commands: readonly CommandObservedBody[]; readonly summary: CommandsObservedBody }>;
}

export type WatchCommands = (options: WatchOptions) => Promise<CommandWatch>;
