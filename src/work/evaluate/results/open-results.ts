import { randomUUID } from "node:crypto";
import type { DataDirectory } from "../../../host/recording/index.ts";
import { HarnessError, type JsonObject } from "../../../pure/base/index.ts";
import { openResultFile, type ResultFile } from "./result-file.ts";

/** The destination of results. */
export interface ResultOptions<Result> {
  /** Receives each result as it finishes: a file, or a function; if the function fails, everything stops. Default: results are returned. */
  readonly output?: string | ((result: Result) => void | Promise<void>);
  /** Continue the file and skip what it already contains. */
  readonly append?: boolean;
  /** Overwrite a file that contains results. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
}

export interface OpenResults<Result> {
  readonly out: ResultFile;
  /** The results, if there is no `output`. */
  readonly results: readonly Result[];
  /** Also aborted when the `output` function fails. */
  readonly signal: AbortSignal;
}

export async function openResults<Result extends object>(
  { output, append, force, signal }: ResultOptions<Result>,
  data: DataDirectory,
  command: string,
  keptOf?: (line: JsonObject) => number | undefined,
): Promise<OpenResults<Result>> {
  const results: Result[] = [];
  const stop = new AbortController();
  const either = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
  if (typeof output === "string")
    return { out: await openResultFile(output, { data, append, force, command, keptOf }), results, signal: either };
  if (append) throw new HarnessError("usage", "`append` continues a file. Name it in `output`.", { option: "output" });
  const give = output ?? ((result: Result) => void results.push(result));
  let given = Promise.resolve();
  const out: ResultFile = {
    evaluation: randomUUID(),
    finished: [],
    open: [],
    reopen: () => "",
    begin: () => {},
    append(line) {
      given = given.then(() => give(line as Result));
      given.catch(() => stop.abort()); // later results are not passed on
    },
    close: () => given,
  };
  return { out, results, signal: either };
}
