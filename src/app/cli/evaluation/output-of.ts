import { HarnessError } from "../../../pure/base/index.ts";
import { write } from "../../terminal/index.ts";

export interface ResultFlags {
  readonly output?: string;
  readonly append?: true;
  readonly force?: true;
}

/** Results go to a file that can be continued, or to standard output. If the reader leaves, the work stops. */
export function outputOf({ output, append, force }: ResultFlags) {
  if (append && output === undefined) throw new HarnessError("usage", "--append continues a file. Name it with -o.");
  return { output: output ?? ((result: object) => write(`${JSON.stringify(result)}\n`)), append, force };
}
