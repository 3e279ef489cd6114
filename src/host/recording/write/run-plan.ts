import type { SessionUsage } from "../../../pure/events/index.ts";
import type { Agent, Permissions, Task } from "../../../pure/pipeline/index.ts";
import type { Launcher } from "../../process/index.ts";
import type { PromptBy } from "../format/index.ts";

/** A run before it starts: everything that can be known, and refused, without starting anything. */
export interface RunPlan {
  /** What the run will be called. */
  readonly id: string;
  /** The run whose session it goes on with. */
  readonly earlier?: EarlierRun;
  /** What the session is called, for an agent that does not tell. */
  readonly sessionName: string;
  readonly agent: Agent;
  /** Whose format its output is read as, where that is not its own. */
  readonly like?: string;
  readonly task: Task;
  readonly prompt: string;
  readonly cwd: string;
  readonly model?: string;
  readonly permissions: Permissions;
  readonly launcher: Launcher;
  readonly binary: string;
  readonly args: readonly string[];
  /** Undefined: the prompt is not given by stdin. */
  readonly stdin?: string;
  readonly promptBy: PromptBy;
  /** It was configured to ask before it does anything. */
  readonly asks: boolean;
  /** It can go on with the session of this run. */
  readonly resumes: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly environment: { readonly set: readonly string[]; readonly removed: readonly string[] };
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  /** What the agent has no way to take. */
  readonly ignored: readonly (keyof Task)[];
}

/** What a run takes over from the one whose session it goes on with. */
export interface EarlierRun {
  readonly id: string;
  readonly directory: string;
  readonly agent: string;
  readonly cwd: string;
  readonly model?: string;
  readonly permissions: Permissions;
  /** As the agent calls it. */
  readonly sessionId: string;
  readonly used: SessionUsage;
}
