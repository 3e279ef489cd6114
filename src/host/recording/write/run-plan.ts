import type { SessionUsage } from "../../../pure/events/index.ts";
import type { Agent, Command, Permissions, Task } from "../../../pure/pipeline/index.ts";
import type { Isolating } from "../../isolation/index.ts";
import type { Launcher } from "../../process/index.ts";
import type { PromptBy } from "../format/index.ts";
import type { DecisionPlace } from "./decision-place.ts";
import type { PlannedOverlay } from "./settings-overlay.ts";

/** A run before it starts: everything that can be known, and rejected, without starting anything. */
export interface RunPlan {
  /** The id of the future run. */
  readonly id: string;
  /** The run to resume. */
  readonly earlier?: EarlierRun;
  /** The session's name, for an agent that does not report one. */
  readonly sessionName: string;
  readonly agent: Agent;
  /** The agent whose format the output is read as, if not its own. */
  readonly like?: string;
  readonly task: Task;
  readonly prompt: string;
  readonly cwd: string;
  readonly model?: string;
  readonly permissions: Permissions;
  readonly launcher: Launcher;
  /** The walls around the agent, unless the caller has their own launcher. */
  readonly isolation?: Isolating;
  readonly binary: string;
  /** The agent is part of this package, and the program that runs it is not: what it reports about itself is only a claim. */
  readonly isForeign: boolean;
  readonly args: readonly string[];
  /** Undefined: the prompt is not passed on stdin. */
  readonly stdin?: string;
  readonly promptBy: PromptBy;
  /** Its hooks ask here before each call. */
  readonly decisions?: DecisionPlace;
  readonly overlay?: PlannedOverlay;
  /** The agent was configured to ask before it does anything. */
  readonly asks: boolean;
  readonly withholds: Command["withholds"];
  /** The session of this run can be resumed later. */
  readonly resumes: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly environment: { readonly set: readonly string[]; readonly removed: readonly string[] };
  /** Its requests to its model are recorded. */
  readonly isWired: boolean;
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  /** Options that the agent does not support. */
  readonly ignored: readonly (keyof Task)[];
  /** What the permissions do not hold back, as a sentence. */
  readonly unheld?: string;
}

/** What a run inherits from the run it resumes. */
export interface EarlierRun {
  readonly id: string;
  readonly directory: string;
  readonly agent: string;
  readonly cwd: string;
  readonly model?: string;
  readonly permissions: Permissions;
  /** The agent's own id for the session. */
  readonly sessionId: string;
  readonly used: SessionUsage;
}
