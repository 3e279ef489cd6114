import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HarnessError } from "../../../pure/base/index.ts";

/** The folder of the package; the program runs from inside its `dist`. */
export function packageRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "demo/shop.yaml"))) return folder;
  }
  throw new HarnessError("input", "This installation is incomplete: demo/shop.yaml is missing. Install harness again.");
}
