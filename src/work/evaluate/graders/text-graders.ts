import { runInNewContext } from "node:vm";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import type { Graded, GraderInput, PreparedGrader } from "../trial/index.ts";

/** `exact`, `contains`, `regex`: they compare the final answer with the case's `expected`, or with the text after the colon. */

export function exact(argument: string | undefined): PreparedGrader {
  return textGrader("exact", argument, (output, expected) => output.trim() === expected.trim(), "is");
}

export function contains(argument: string | undefined): PreparedGrader {
  return textGrader("contains", argument, (output, expected) => output.includes(expected), "contains");
}

export function regex(argument: string | undefined): PreparedGrader {
  if (argument !== undefined) expressionOf(argument); // throws before anything runs
  return textGrader("regex", argument, (output, expected) => matches(expressionOf(expected), output), "matches");
}

function textGrader(
  name: string,
  argument: string | undefined,
  holds: (output: string, expected: string) => boolean,
  verb: "is" | "contains" | "matches",
): PreparedGrader {
  return {
    name: argument === undefined ? name : `${name}:${argument}`,
    needsWorkspace: false,
    grade: async ({ output, expected }: GraderInput): Promise<Graded> => {
      const wanted = argument ?? expected;
      if (wanted === undefined) return { error: `the case has no "expected" that ${name} could compare with` };
      try {
        const pass = holds(output, wanted);
        return {
          grade: { pass, score: pass ? 1 : 0, reasoning: `the answer ${pass ? YES[verb] : NO[verb]} ${JSON.stringify(clip(wanted))}` },
        };
      } catch (error) {
        return { error: errorWords(error) };
      }
    },
  };
}

const YES = { is: "is", contains: "contains", matches: "matches" };
const NO = { is: "is not", contains: "does not contain", matches: "does not match" };

/** `/…/flags`, or the expression alone. */
function expressionOf(text: string): RegExp {
  const parts = /^\/(.*)\/([dgimsuvy]*)$/s.exec(text);
  try {
    return parts === null ? new RegExp(text, "u") : new RegExp(parts[1] ?? "", parts[2]?.replace(/[gy]/g, ""));
  } catch (error) {
    throw new HarnessError("usage", `${JSON.stringify(clip(text))} is not a regular expression: ${errorWords(error)}.`);
  }
}

const LONGEST_MS = 2000;

/** Has a time limit: some expressions need years for a text that an agent can write, and everything would wait. */
function matches(expression: RegExp, text: string): boolean {
  try {
    return runInNewContext("expression.test(text)", { expression, text }, { timeout: LONGEST_MS }) === true;
  } catch (error) {
    // Checked by code: an error from a different context is not an instance of our Error.
    if ((error as { code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new Error(`the expression did not finish within ${LONGEST_MS} ms. Write one with less backtracking`);
  }
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
