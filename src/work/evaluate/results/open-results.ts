import type { DataDirectory } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { openResultFile, type ResultFile } from "./result-file.ts";

/** Where results go. */
export interface ResultOptions<Result> {
  /** Gets each result as it is finished: a file, or a function, which stops everything if it fails. Default: they are returned. */
  readonly output?: string | ((result: Result) => void | Promise<void>);
  /** Continue the file: what is finished in it is not done again. */
  readonly append?: boolean;
  /** Overwrite a file that holds results. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
}

export interface OpenResults<Result> {
  readonly out: ResultFile;
  /** What no `output` was given for. */
  readonly results: readonly Result[];
  /** Aborted as well when the function of `output` has failed. */
  readonly signal: AbortSignal;
}

export async function openResults<Result extends object>(
  { output, append, force, signal }: ResultOptions<Result>,
  data: DataDirectory,
  command: string,
): Promise<OpenResults<Result>> {
  const results: Result[] = [];
  const stop = new AbortController();
  const either = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
  if (typeof output === "string") return { out: await openResultFile(output, { data, append, force, command }), results, signal: either };
  if (append) throw new HarnessError("usage", "`append` continues a file: name it in `output`.", { option: "output" });
  const give = output ?? ((result: Result) => void results.push(result));
  let given = Promise.resolve();
  const out: ResultFile = {
    finished: [],
    begin: () => {},
    append(line) {
      given = given.then(() => give(line as Result));
      given.catch(() => stop.abort()); // what comes later is not given any more
    },
    close: () => given,
  };
  return { out, results, signal: either };
}
