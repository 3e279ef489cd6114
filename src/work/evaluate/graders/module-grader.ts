import { moduleProgram } from "../../../host/process/module-program.ts";
import type { Grader } from "../trial/grader.ts";
import { programGrader } from "./program-grader.ts";

/** A module that exports `grade({ id, input, output, expected, … })`. */
export function moduleGrader(name: string, path: string, timeoutMs: number): Grader {
  return programGrader({ name, ...moduleProgram(path, "grade"), timeoutMs, besides: path });
}
