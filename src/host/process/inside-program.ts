import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HarnessError } from "../../pure/base/index.ts";

/** The build's output folder, relative to the package root. */
const PLACE = "dist/cli";

/** The path of a Node program that is part of this package, found from anywhere inside the package. */
export function insideProgram(name: "native" | "repl-engine" | "hook" = "native"): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, PLACE, `${name}.js`);
    if (existsSync(file)) return file;
  }
  throw new HarnessError("start", "A part of this installation is missing. Reinstall harness, or build it.");
}
