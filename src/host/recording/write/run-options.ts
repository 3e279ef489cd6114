import type { Agent, Evaluated, McpServer, Permissions } from "../../../pure/pipeline/index.ts";
import type { ResourceLimits } from "../../limits/index.ts";
import type { LivePolicy, OnPermission } from "../../permissions/index.ts";
import type { Launcher } from "../../process/index.ts";
import type { Answerer } from "../../proxy/index.ts";
import type { Sink } from "./sink.ts";

/** The options of a run. Only the prompt is required, and either an agent or a run to resume. */
export interface RunOptions {
  /** An id, an alias, the file of a user-defined agent (module or schema), or the agent itself. Default: the agent of the resumed run. */
  readonly agent?: string | Agent;
  readonly prompt: string;
  /** The run to resume: its id, a unique prefix, `last`, or its directory. Its agent, directory, model and permissions are the defaults. */
  readonly resume?: string;
  /** The node of that run's graph to resume at. Only for our own agents, which can continue a conversation anywhere. */
  readonly resumeAt?: string;
  /** The directory the agent works in. Default: the current directory. */
  readonly cwd?: string;
  /** The directory that the agent sees at `cwd`, if it is a different one. Needs `isolate`, from `files` on. */
  readonly cwdFrom?: string;
  readonly model?: string;
  /** How hard the model should think, as the agent's CLI names it: `high`. */
  readonly effort?: string;
  /** What the agent may do without asking. Default: `default`, the CLI's own headless behaviour. */
  readonly permissions?: Permissions;
  /** Calls that are allowed or denied whatever `permissions` says: globs for a tool, its kind, a title or a command. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Decides for the user if no rule matches, for an agent that asks. */
  readonly onPermission?: OnPermission;
  /** Decides calls before they run; deny rules come first. `livePolicy` reads one from a policy file. */
  readonly enforce?: LivePolicy;
  /** MCP servers for the agent to use. */
  readonly mcp?: readonly McpServer[];
  /** The program, a path or a name, if not the default one on PATH. */
  readonly binary?: string;
  /** For `generic` and `acp`: the whole command line, with `{prompt}` for the prompt; without that, the prompt goes to stdin. */
  readonly command?: string;
  /** For `generic`, or your own agent: the id of the agent whose format the output has. */
  readonly like?: string;
  /** Variables to add to the agent's environment; undefined passes on our own value, even of a variable that is normally removed. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Names of more variables to mask, besides those with a telltale name. */
  readonly secrets?: readonly string[];
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** Passed to the CLI unchanged. */
  readonly extraArgs?: readonly string[];
  /** For people, to find the run again. */
  readonly name?: string;
  readonly tags?: readonly string[];
  /** The evaluation case that this run is a trial of: stored with the run, for the views of specification 004. */
  readonly evaluated?: Evaluated;
  /** Ends the run after this time. */
  readonly timeoutMs?: number;
  /** Ends the run after this time without output. */
  readonly idleTimeoutMs?: number;
  /** Warns after this time without output, again after twice that time, and so on. Default: two minutes. */
  readonly idleWarningMs?: number;
  /** How long an agent may take to exit after its result. Default: ten seconds; two for an agent with a protocol. */
  readonly afterResultMs?: number;
  /** How long an agent may take to stop when asked. Default: five seconds. */
  readonly graceMs?: number;
  /** The directory that stores runs. Default: `$XDG_DATA_HOME/harness`. */
  readonly dataDirectory?: string;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** How the agent's program is started, watched and ended. Default: `localLauncher`, a process on this machine. */
  readonly launcher?: Launcher;
  /** What the run may use. A limit that cannot be enforced here is rejected. */
  readonly resourceLimits?: ResourceLimits;
  /**
   * What the agent can reach: `none`, `process`, `files`, `sealed` or `container:<image>`. A level that is not available here is rejected.
   * Default: `process`, or `none` if this machine cannot build walls.
   */
  readonly isolate?: string;
  /** What a sealed run may reach: `model`, `allow:<host>,<host>`, `open` (every public address) or `none`. Default: `model`. */
  readonly network?: string;
  /** The address of the agent's model, for a sealed run or with `wire`, if it is neither the default nor in a variable that the agent reads. */
  readonly modelUrl?: string;
  /** Records the agent's requests to its model, and the answers, in `wire.jsonl`. Rejected if the agent cannot be led past us. */
  readonly wire?: boolean;
  /** With `wire`: answers requests in place of the agent's model. */
  readonly modelInstead?: Answerer;
  /** The run is rejected if it would have less than this level. */
  readonly requireIsolation?: string;
  /** Receivers of the records during the run, besides the recording itself. */
  readonly sinks?: readonly Sink[];
  /** An SSH key that signs the run when it is sealed: a private key, or a public key whose private key is in an SSH agent. */
  readonly sign?: string | undefined;
  /** The environment that the agent inherits. Default: our own. */
  readonly environment?: NodeJS.ProcessEnv;
}
