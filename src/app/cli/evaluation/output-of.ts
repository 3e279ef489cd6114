import { HarnessError } from "../../../pure/base/index.ts";
import { write } from "../../terminal/index.ts";

export interface ResultFlags {
  readonly output?: string;
  readonly append?: true;
  readonly force?: true;
}

/** Where results go as they are finished: a file that can be continued, or standard output. Who stops reading that stops the work. */
export function outputOf({ output, append, force }: ResultFlags) {
  if (append && output === undefined) throw new HarnessError("usage", "--append continues a file: say which with -o.");
  return { output: output ?? ((result: object) => write(`${JSON.stringify(result)}\n`)), append, force };
}
