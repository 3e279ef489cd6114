import type { TrajectoryStep } from "../../../pure/views/index.ts";
import type { Graded } from "./grade.ts";

/** What a grader is given. */
export interface GraderInput {
  readonly id: string;
  readonly input: string | readonly string[];
  readonly output: string;
  readonly expected?: string;
  /** The same as `expected`: the name that later versions of the format use. */
  readonly hint?: string;
  readonly trajectory: readonly TrajectoryStep[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The workspace as the agent left it; absent where none was kept. */
  readonly cwd?: string;
  /** The recorded run. */
  readonly run?: string;
}

/** Says how good an answer is. Never throws: what goes wrong is an error of the grade. */
export interface Grader {
  /** As it was asked for: `contains`, `command:npm test`, `./grader.ts`. */
  readonly name: string;
  /** Whether it looks at the workspace. */
  readonly needsWorkspace: boolean;
  grade(input: GraderInput, signal: AbortSignal): Promise<Graded>;
}
