import { statSync } from "node:fs";
import { jsonLines } from "../../../pure/base/index.ts";
import type { FactBody, FactRecord, FilesChangedBody, Stream } from "../../../pure/events/index.ts";
import { writeAtomically } from "../../files/index.ts";
import { recorded } from "../../sink/index.ts";
import { decode } from "../derive/index.ts";
import { runPaths, runReader } from "../format/index.ts";

/** When the agent's output came, and what was noted meanwhile, in the directory of a run and of its observation. */
export const COURSE_FILE = "artifacts/course.jsonl";

/** What was searched in the workspace for the checks, in addition to what changed. */
export type Scanned = Omit<
  FilesChangedBody,
  "type" | "turn" | "callId" | "before" | "after" | "patch" | "method" | "total" | "counts" | "changes" | "leftOut" | "unseen" | "problem"
>;

/** One step of a run: a stream came up to this byte, a fact was noted, or the workspace was scanned at the end. */
export type CourseStep =
  | { readonly at: number; readonly stream: Stream; readonly to: number }
  | { readonly at: number; readonly scanned: Scanned }
  | { readonly at: number; readonly fact: FactBody };

/** In place of a course that is too long, or that does not fit the output. */
const UNKNOWN = { unknown: true };
const MOST_STEPS = 500_000;

/** Facts that other files of the evidence show. */
const ELSEWHERE: ReadonlySet<FactBody["type"]> = new Set([
  "observation",
  "workspace-prepared",
  "process-started",
  "process-observed",
  "artifact",
  "command-observed",
  "commands-observed",
  "model-ledger",
  "model-request",
] as const);

function stepsOf({ at, body }: FactRecord): readonly CourseStep[] {
  if (body.type !== "files-changed" || body.turn !== undefined) return ELSEWHERE.has(body.type) ? [] : [{ at, fact: body }];
  const { type, turn, callId, before, after, patch, method, total, counts, changes, leftOut, unseen, problem, ...scanned } = body;
  return [{ at, scanned }];
}

/**
 * Writes the order of a run next to its events, so that what depends on it can be judged without the recording. The output must be masked
 * already.
 */
export function writeCourse(directory: string, path: string): void {
  const paths = runPaths(directory);
  const reader = runReader(paths, decode);
  const ends = { stdout: 0, stderr: 0 };
  const steps: CourseStep[] = [];
  try {
    for (const piece of reader.more()) {
      if (steps.length > MOST_STEPS) break;
      if (piece.type === "fact") steps.push(...stepsOf(piece));
      if (piece.type !== "bytes" || piece.bytes.length === 0) continue;
      const { at, stream } = piece;
      ends[stream] += piece.bytes.length;
      const last = steps.at(-1);
      if (last !== undefined && "stream" in last && last.stream === stream && last.at === at) steps.pop();
      steps.push({ at, stream, to: ends[stream] });
    }
  } finally {
    reader.close();
  }
  const isWhole = (["stdout", "stderr"] as const).every((stream) => statSync(paths[stream]).size === ends[stream]);
  writeAtomically(path, recorded(jsonLines(isWhole ? steps : [UNKNOWN])));
}
