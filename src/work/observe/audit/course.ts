import { COURSE_FILE, type CourseStep } from "../../../host/recording/index.ts";
import { anyObject, count, either, exactly, fits, object, oneOf, parseObject, yes } from "../../../pure/base/index.ts";
import { fact } from "../../../pure/events/index.ts";
import type { Evidence } from "./evidence.ts";

const step = either(
  either(exactly(object({ at: count, stream: oneOf("stdout", "stderr"), to: count })), exactly(object({ at: count, fact }))),
  exactly(object({ at: count, scanned: anyObject })), // becomes a part of a fact, which is checked as such
);
const unknown = exactly(object({ unknown: yes }));

/** The order in which output came and facts were noted; undefined if the file has a different form, or there is none. */
export function courseIn({ text }: Evidence): readonly CourseStep[] | "unknown" | undefined {
  const lines = text(COURSE_FILE)
    ?.split("\n")
    .filter((line) => line !== "")
    .map(parseObject);
  if (lines === undefined) return undefined;
  if (lines.length === 1 && lines[0]?.["unknown"] === true && fits(unknown, lines[0])) return "unknown";
  return lines.every((line) => fits(step, line, { strict: true })) ? (lines as unknown as readonly CourseStep[]) : undefined;
}
