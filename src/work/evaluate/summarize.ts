import type { JsonObject } from "../../pure/base/index.ts";
import { classWords, type TrialClass } from "../../pure/verdicts/index.ts";
import { type Capture, markdownOf, type Summary, summaryOf } from "../../pure/views/index.ts";
import { capturesOf, type ReadLine, readResults, trialsIn } from "./results/index.ts";
import { classOf } from "./trial/index.ts";

/** A compact record of every trial in a results file, one at a time, for files of any length. */
export function* summarize(results: string): Generator<Summary, void> {
  for (const { record, kind } of trialsOf(results)) yield { ...summaryOf(record), ...(kind && { class: kind }) };
}

/** The same as Markdown, for a reader or a judge model. */
export function* summarizeAsMarkdown(results: string): Generator<string, void> {
  for (const { record, kind } of trialsOf(results)) {
    const page = markdownOf(record);
    // A judge reads this too, and must not know the grade. That the work was cut off or never began, it must.
    yield `${kind === undefined || !INTERRUPTED.has(kind) ? page : page.replace(/(?=---\n*$)/, `**Class:** ${classWords[kind]}\n\n`)}\n`;
  }
}

const INTERRUPTED = new Set<TrialClass>(["out_of_time", "not_started", "lost_to_provider", "lost_to_us"]);

function* trialsOf(results: string): Generator<{ readonly record: Capture; readonly kind: TrialClass | undefined }, void> {
  for (const { line } of readResults(results)) yield* classesOf(line);
}

/** A line without a status comes from a different tool, which has no classes. */
function classesOf(line: ReadLine["line"]) {
  const trials: readonly JsonObject[] = trialsIn(line);
  return capturesOf(line).map((record, index) => {
    const trial = trials[index];
    return { record, kind: trial === undefined || !Object.hasOwn(trial, "status") ? undefined : classOf(trial).class };
  });
}
