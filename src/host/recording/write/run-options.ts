import type { Agent, Evaluated, McpServer, Permissions } from "../../../pure/pipeline/index.ts";
import type { Launcher, OnPermission } from "../../process/index.ts";
import type { Sink } from "./sink.ts";

/** What a run can be asked for. Only the prompt is needed, and the agent, or a run to go on from. */
export interface RunOptions {
  /** An id, an alias, the file of an agent of your own (a module or a schema), or the agent itself. Default: the agent of the run that is resumed. */
  readonly agent?: string | Agent;
  readonly prompt: string;
  /**
   * A run whose session is to be gone on with: its id, the unique beginning of one, `last`, or its directory. Agent, directory, model
   * and permissions are its own, where they are not given.
   */
  readonly resume?: string;
  /** Where in that run: a node of its graph. Only for an agent of ours, whose conversations can be gone on with anywhere. */
  readonly resumeAt?: string;
  /** Where the agent works. Default: the current directory. */
  readonly cwd?: string;
  readonly model?: string;
  /** What the agent may do without asking. Default: `default`, the CLI's own headless behaviour. */
  readonly permissions?: Permissions;
  /** Calls that are permitted, or refused, whatever `permissions` says: globs of a tool, its kind, a title or a command. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Decides in the user's place where no rule does, for an agent that asks. */
  readonly onPermission?: OnPermission;
  /** Servers of the Model Context Protocol for the agent to use. */
  readonly mcp?: readonly McpServer[];
  /** The program, where it is not to be looked for on PATH: a path or a name. */
  readonly binary?: string;
  /** For `generic` and `acp`: the whole command line, `{prompt}` standing for the prompt; without it the prompt goes by stdin. */
  readonly command?: string;
  /** For `generic`, or an agent of your own: the id of the agent whose format its output is read as. */
  readonly like?: string;
  /** Variables to add to the agent's environment; undefined passes our own value of that name, even one that is else removed. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Names of variables whose values are masked, besides those whose names say so. */
  readonly secrets?: readonly string[];
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** Handed to the CLI as they are. */
  readonly extraArgs?: readonly string[];
  /** For people, to find the run again. */
  readonly name?: string;
  readonly tags?: readonly string[];
  /** The case of an evaluation that it is a trial of: kept with the run, for the views of specification 004. */
  readonly evaluated?: Evaluated;
  /** Ends the run after that long. */
  readonly timeoutMs?: number;
  /** Ends the run after that long without output. */
  readonly idleTimeoutMs?: number;
  /** Says that the agent is silent after that long, and again after twice that long, and so on. Default: two minutes. */
  readonly idleWarningMs?: number;
  /** How long an agent may stay that has told its result. Default: ten seconds; two for one that is spoken with. */
  readonly afterResultMs?: number;
  /** How long an agent that was asked to stop may take. Default: five seconds. */
  readonly graceMs?: number;
  /** Where runs are kept. Default: `$XDG_DATA_HOME/harness`. */
  readonly dataDirectory?: string;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** How the agent's program is started, watched and ended. Default: `localLauncher`, a process of this machine. */
  readonly launcher?: Launcher;
  /** Where its records go while it runs, besides the recording itself. */
  readonly sinks?: readonly Sink[];
  /** The environment the agent inherits from. Default: our own. */
  readonly environment?: NodeJS.ProcessEnv;
}
