import { moduleProgram } from "../../../host/process/index.ts";
import type { PreparedGrader } from "../trial/index.ts";
import { programGrader } from "./program-grader.ts";

/** A module that exports `grade({ id, input, output, expected, … })`. */
export function moduleGrader(name: string, path: string, timeoutMs: number): PreparedGrader {
  return programGrader({ name, ...moduleProgram(path, "grade"), timeoutMs, near: path });
}
