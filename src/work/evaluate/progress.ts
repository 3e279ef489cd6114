import type { CaptureResult } from "./trial/index.ts";

/** Progress of the results file, the whole evaluation or one trial. */
export type Progress =
  /** The file ended with an incomplete line from a killed call. That line was moved to `path`. */
  | { readonly type: "set-aside"; readonly path: string }
  /** Lines of earlier calls that are not complete were moved to `path`. Their cases continue, and get a new line. */
  | { readonly type: "reopened"; readonly lines: number; readonly path: string }
  /** An agent changed our copy of a workspace, which was read again. Empty: the empty workspace. */
  | { readonly type: "restored"; readonly workspace: string }
  /** An earlier version began the file: its runs do not name their evaluation, so they could be those of another one. */
  | { readonly type: "unbound"; readonly path: string }
  /** Trials without a grade were graded again; this many still have none. */
  | { readonly type: "graded-again"; readonly trials: number; readonly failed: number }
  /** Earlier lines are of cases or agents that this call does not have, so it cannot show that they are right. */
  | { readonly type: "unchecked"; readonly lines: number }
  /** Earlier lines did not say what their recordings show, and were corrected. */
  | { readonly type: "corrected"; readonly lines: number }
  /** The data set has fields that are not read. */
  | { readonly type: "unread"; readonly name: string; readonly fields: readonly string[] }
  | { readonly type: "planned"; readonly agents: readonly string[]; readonly trials: number | undefined }
  | { readonly type: "started" | "retried"; readonly agent: string; readonly id: string; readonly trialNum: number }
  | {
      readonly type: "finished";
      readonly agent: string;
      readonly id: string;
      readonly trialNum: number;
      readonly result: CaptureResult;
    };
