import { HarnessError } from "../../../pure/base/index.ts";

/** Where we were called; somebody may have deleted it since. */
export function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    const remedy = "go to another one, or say where to work with --cwd and an absolute path";
    throw new HarnessError("usage", `The current directory does not exist any more; ${remedy}.`, { cause: error });
  }
}
