import { fstatSync } from "node:fs";
import { HarnessError } from "../../pure/base/index.ts";
import { say } from "./report.ts";

/** Our own standard input, as bytes. Reading it fails like reading a file does. */
export async function* standardInput(): AsyncIterable<Uint8Array> {
  // Node would quietly read a directory as nothing at all.
  if (fstatSync(0).isDirectory())
    throw new HarnessError("input", "Standard input is a directory; give the file that holds the agent's output.");
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
