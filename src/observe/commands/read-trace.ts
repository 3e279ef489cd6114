import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type Trace, traceReader } from "./trace-reader.ts";

/** What `strace` wrote: it escapes everything that is not plain, so that a line is a line. */
export async function readTrace(file: string): Promise<Trace> {
  const reader = traceReader();
  for await (const line of createInterface({ input: createReadStream(file, "latin1") })) reader.push(line);
  return reader.trace();
}
