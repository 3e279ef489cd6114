import type { Launcher } from "../../../host/process/index.ts";
import type { TrajectoryStep } from "../../../pure/views/index.ts";
import type { Grade, Graded } from "./grade.ts";

/** The input of a grader. */
export interface GraderInput {
  readonly id: string;
  readonly input: string | readonly string[];
  readonly output: string;
  readonly expected?: string;
  /** The same as `expected`, under the newer name in the format. */
  readonly hint?: string;
  readonly trajectory: readonly TrajectoryStep[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The workspace as the agent left it; absent if none was kept. */
  readonly cwd?: string;
  /** The recorded run. */
  readonly run?: string;
}

/** A grader as code, which a module may export as `grade`. Without a score, a pass is 1 and a failure is 0. An exception is an error of the grade. */
export type Grader = (input: GraderInput, signal: AbortSignal) => Verdict | Promise<Verdict>;

export type Verdict = Pick<Grade, "pass"> & Partial<Grade>;

/** A grader that is ready to use. It never throws: failures are errors of the grade. */
export interface PreparedGrader {
  /** As the user wrote it: `contains`, `command:npm test`, `./grader.ts`. */
  readonly name: string;
  /** Whether it reads the workspace. */
  readonly needsWorkspace: boolean;
  /** A hash over the graders and their files, as they were when the grader was prepared. */
  readonly version?: string;
  /** The files and directories that decide its verdict. */
  readonly files?: readonly string[];
  /** Those of `files` that only this process reads: the work that other graders run must not see them. */
  readonly answers?: readonly string[];
  /** Undefined, or its name and why it cannot grade anything: asked once, before anything runs. */
  flaw?(): Promise<string | undefined>;
  /** `launcher` starts its programs. Default: without walls. */
  grade(input: GraderInput, signal: AbortSignal, launcher?: Launcher): Promise<Graded>;
}
