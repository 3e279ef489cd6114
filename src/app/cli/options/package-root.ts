import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HarnessError } from "../../../pure/base/index.ts";

/** The package's own folder: the program runs from somewhere inside its `dist`. */
export function packageRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "demo/shop.yaml"))) return folder;
  }
  throw new HarnessError("input", "A part of this installation is missing; install harness again.");
}
