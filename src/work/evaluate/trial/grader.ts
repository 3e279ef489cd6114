import type { TrajectoryStep } from "../../../pure/views/index.ts";
import type { Grade, Graded } from "./grade.ts";

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
  /** The workspace as the agent left it; absent if none was kept. */
  readonly cwd?: string;
  /** The recorded run. */
  readonly run?: string;
}

/** A grader as code, which a module may export as `grade`. Without a score, a pass is 1 and a failure is 0. What it throws is an error of the grade. */
export type Grader = (input: GraderInput, signal: AbortSignal) => Verdict | Promise<Verdict>;

export type Verdict = Pick<Grade, "pass"> & Partial<Grade>;

/** A grader that is ready for use. Never throws: what goes wrong is an error of the grade. */
export interface PreparedGrader {
  /** As it was asked for: `contains`, `command:npm test`, `./grader.ts`. */
  readonly name: string;
  /** Whether it looks at the workspace. */
  readonly needsWorkspace: boolean;
  grade(input: GraderInput, signal: AbortSignal): Promise<Graded>;
}
