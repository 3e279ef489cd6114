import type { RunOptions } from "../../host/recording/index.ts";
import type { Limits } from "../../host/workspace/index.ts";
import type { CaptureMode, Environment } from "../../pure/events/index.ts";
import type { Scenario } from "./scenario.ts";

/** The options of an observation, in addition to those of any run. The agent works in its own workspace and receives the scenario. */
export interface ObserveOptions extends Omit<RunOptions, "prompt" | "cwd" | "resume"> {
  readonly scenario: Scenario;
  /** A directory to copy into the workspace. Default: an empty workspace. */
  readonly workspace?: string;
  /** The directory of the observation; it must be new or empty. Default: `./runs/<run id>`. */
  readonly out?: string;
  /** How much of the request and the command line the decision events show. Default: `full`. */
  readonly capture?: CaptureMode;
  /** Default: `local`. */
  readonly environmentName?: Environment;
  /** Commands to watch with wrappers on the agent's PATH. Default: none. */
  readonly wrap?: readonly string[];
  /** Also traces every program start, if the machine allows it. */
  readonly trace?: boolean;
  /** The file that `harness model --ledger` writes, if the agent uses that model. Its charges are reported next to the agent's own. */
  readonly ledger?: string;
  /** Additional checks, by name, and a file with more. */
  readonly checks?: readonly string[];
  readonly policy?: string;
  /** `turns`: also takes a snapshot of the workspace after every call that may have changed it. */
  readonly snapshots?: "turns";
  /** The limits of a snapshot; whatever exceeds them is reported as unknown. */
  readonly limits?: Partial<Limits>;
  /** Neither copied nor scanned: a name anywhere, or a path from the root. */
  readonly ignore?: readonly string[];
}
