import { isObject, parseJson } from "../../../pure/base/index.ts";
import type { Graded } from "../trial/index.ts";

/** Longer reasoning is cut, because people read it. */
const LONGEST_REASONING = 64 * 1024;

/** Reads a grader's answer. Nothing is guessed: a missing `pass` or a score outside 0 … 1 is an error of the grade. */
export function readVerdict(value: unknown): Graded {
  if (!isObject(value)) return { error: `the grader answered ${shown(value)} instead of {"pass": …, "score": …}` };
  const { pass, score, reasoning } = value;
  if (typeof pass !== "boolean") return { error: `the grader's "pass" is ${shown(pass)} instead of true or false` };
  if (score !== undefined && !(typeof score === "number" && score >= 0 && score <= 1))
    return { error: `the grader's "score" is ${shown(score)} instead of a number from 0 to 1` };
  if (reasoning !== undefined && reasoning !== null && typeof reasoning !== "string")
    return { error: `the grader's "reasoning" is ${shown(reasoning)} instead of a text` };
  const reasons = typeof reasoning === "string" ? { reasoning: reasoning.slice(0, LONGEST_REASONING) } : {};
  return { grade: { pass, score: (score as number | undefined) ?? (pass ? 1 : 0), ...reasons } };
}

/** The text must be a verdict in JSON and nothing else. */
export function parseVerdict(text: string): Graded {
  try {
    return readVerdict(parseJson(text));
  } catch {
    // not JSON
  }
  return { error: text.trim() === "" ? "the grader printed nothing" : `the grader did not print one JSON object: ${shown(text)}` };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
