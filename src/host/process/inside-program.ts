import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HarnessError } from "../../pure/base/index.ts";

/** Where the build puts them, from the package's own folder. */
const PLACE = "dist/cli";

/** A program that is part of this package; Node runs it. We may ourselves be anywhere inside the package. */
export function insideProgram(name: "native" | "repl-engine" = "native"): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, PLACE, `${name}.js`);
    if (existsSync(file)) return file;
  }
  throw new HarnessError("start", "A part of this installation is missing; install harness again, or build it.");
}
