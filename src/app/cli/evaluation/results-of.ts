import { dataDirectory } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { openResultFile, type ResultFile } from "../../../work/evaluate/index.ts";
import { write } from "../../terminal/index.ts";

export interface ResultFlags {
  readonly output?: string;
  readonly append?: true;
  readonly force?: true;
}

/** Where lines go as they are finished: a file that can be continued, or standard output. Who stops reading that stops the work. */
export async function resultsOf({ output, append, force }: ResultFlags, stop: AbortController, command: string): Promise<ResultFile> {
  if (output !== undefined) return openResultFile(output, { data: dataDirectory(process.env), append, force, command });
  if (append) throw new HarnessError("usage", "--append continues a file: say which with -o.");
  let written = Promise.resolve();
  let failure: unknown;
  return {
    finished: [],
    begin: () => {},
    append(line) {
      written = written
        .then(() => write(`${JSON.stringify(line)}\n`))
        .catch((error: unknown) => {
          failure ??= error;
          stop.abort(); // nobody reads on
        });
    },
    async close() {
      await written;
      if (failure !== undefined) throw failure;
    },
  };
}
