import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HarnessError } from "../core/errors.ts";

/** Where the build puts it, from the package's own folder. */
const PLACE = "dist/cli/native.js";

/** The program of the agents that are part of this package; Node runs it. We may ourselves be anywhere inside the package. */
export function insideProgram(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, PLACE);
    if (existsSync(file)) return file;
  }
  throw new HarnessError("start", "A part of this installation is missing; install harness again, or build it.");
}
