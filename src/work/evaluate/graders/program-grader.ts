import { dirname } from "node:path";
import { type ModuleCall, runProgram } from "../../../host/process/index.ts";
import { errorWords } from "../../../pure/base/index.ts";
import type { Graded, GraderInput, PreparedGrader } from "../trial/index.ts";
import { verdictEnvironment } from "./grader-environment.ts";
import { parseVerdict } from "./read-verdict.ts";

export interface GraderProgram {
  readonly name: string;
  readonly binary: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  /** The file whose folder it runs in. Default: the program. */
  readonly near?: string;
  /** Calls a module. Default: the case as JSON on stdin, and the verdict on stdout. */
  readonly call?: (input: GraderInput) => ModuleCall;
}

/** Any executable: it reads the case as JSON from stdin and prints one JSON object. It runs in its own folder, not in the workspace. */
export function programGrader({ name, binary, args, timeoutMs, near = binary, call = plainCall }: GraderProgram): PreparedGrader {
  return {
    name,
    needsWorkspace: true,
    files: [near],
    async grade(input, signal, launcher): Promise<Graded> {
      const { stdin, answer } = call(input);
      try {
        const end = await runProgram({
          binary,
          args,
          cwd: dirname(near),
          env: verdictEnvironment({}, input.cwd),
          stdin,
          timeoutMs,
          signal,
          launcher,
          maxOutput: 8 * 1024 * 1024,
        });
        if (end.isTimedOut) return { error: `the grader did not end within ${timeoutMs} ms` };
        if (end.signal !== null) return { error: `the grader was ended by ${end.signal}` };
        if (end.isCut) return { error: "the grader printed too much for a verdict" };
        if (end.exitCode !== 0) return { error: `the grader ended with code ${end.exitCode}: ${end.stderr.trim().slice(-500)}` };
        return parseVerdict(answer(end.stdout) ?? "");
      } catch (error) {
        return { error: errorWords(error) };
      }
    },
  };
}

function plainCall(input: GraderInput): ModuleCall {
  return { stdin: JSON.stringify(input), answer: (stdout) => stdout };
}
