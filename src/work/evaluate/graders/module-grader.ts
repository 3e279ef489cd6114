import { dirname } from "node:path";
import { moduleCall, moduleProgram, runProgram } from "../../../host/process/index.ts";
import type { PreparedGrader } from "../trial/index.ts";
import { verdictEnvironment } from "./grader-environment.ts";
import { moduleFiles } from "./module-files.ts";
import { programGrader } from "./program-grader.ts";

const LOADING_MS = 60_000;

/** A module that exports `grade({ id, input, output, expected, … })`. */
export function moduleGrader(name: string, path: string, timeoutMs: number): PreparedGrader {
  const program = moduleProgram(path, "grade");
  return {
    ...programGrader({ name, ...program, timeoutMs, near: path, call: moduleCall }),
    files: moduleFiles(path),
    async flaw() {
      const env = verdictEnvironment({});
      const end = await runProgram({ ...program, cwd: dirname(path), env, stdin: "", timeoutMs: Math.min(timeoutMs, LOADING_MS) });
      if (end.isTimedOut) return `${name} did not load within ${Math.min(timeoutMs, LOADING_MS)} ms`;
      return end.exitCode === 0 ? undefined : `${name} cannot be used: ${reasonIn(end.stderr)}`;
    },
  };
}

/** The line that names the error; a stack trace follows it. */
function reasonIn(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const error = lines.find((line) => /^(?:[A-Z]\w*)?Error\b.*: /.test(line)) ?? lines.find((line) => line !== "") ?? "it printed nothing";
  return error.replace(/^Error: /, "").slice(0, 500);
}
