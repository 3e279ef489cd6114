import { fstatSync } from "node:fs";
import { HarnessError } from "../../pure/base/index.ts";
import { say } from "./report.ts";

/** Standard input as bytes. Errors are reported like those of a file. */
export async function* standardInput(): AsyncIterable<Uint8Array> {
  // Node reads a directory as an empty stream.
  if (fstatSync(0).isDirectory())
    throw new HarnessError("input", "Standard input is a directory. Pass the file that holds the agent's output.");
  if (process.stdin.isTTY) say("reading from the terminal; end with Ctrl-D");
  try {
    yield* process.stdin as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof Error && "code" in error) {
      throw new HarnessError("input", `Cannot read standard input: ${error.message}.`, { cause: error });
    }
    throw error;
  }
}
