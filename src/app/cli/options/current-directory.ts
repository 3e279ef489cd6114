import { HarnessError } from "../../../pure/base/index.ts";

/** The current directory, which may have been deleted. */
export function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    const message = "The current directory no longer exists. Change to another one, or pass --cwd with an absolute path.";
    throw new HarnessError("usage", message, { cause: error });
  }
}
