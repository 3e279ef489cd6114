import type { RunOptions } from "../../host/recording/index.ts";
import type { Limits } from "../../host/workspace/index.ts";
import type { CaptureMode, Environment } from "../../pure/events/index.ts";
import type { Scenario } from "./scenario.ts";

/** What an observation can be asked for, besides what any run can. The agent works in a workspace of its own, and is given the scenario. */
export interface ObserveOptions extends Omit<RunOptions, "prompt" | "cwd" | "resume"> {
  readonly scenario: Scenario;
  /** A directory that the agent gets a copy of. Default: it starts with an empty one. */
  readonly workspace?: string;
  /** Default: `./runs/<run id>`. It must be new, or empty. */
  readonly out?: string;
  /** How much of the request and the command line the decision events show. Default: `full`. */
  readonly capture?: CaptureMode;
  /** Default: `local`. */
  readonly environmentName?: Environment;
  /** Commands that are watched by wrappers on the agent's PATH. Default: none. */
  readonly wrap?: readonly string[];
  /** Traces every start of a program as well, where the machine allows it. */
  readonly trace?: boolean;
  /** The file that `harness model --ledger` writes, where the agent asks that model: what it charged is told beside what the agent says. */
  readonly ledger?: string;
  /** Further checks, by name, and a file of them. */
  readonly checks?: readonly string[];
  readonly policy?: string;
  /** `turns`: also looks at the workspace after every call that may have changed it. */
  readonly snapshots?: "turns";
  /** What a look at the workspace may cost; what does not fit is said to be unknown. */
  readonly limits?: Partial<Limits>;
  /** What is neither copied nor looked at: a name anywhere, or a path from the root. */
  readonly ignore?: readonly string[];
}
