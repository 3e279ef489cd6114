import { statSync } from "node:fs";
import { openSource } from "../../host/files/index.ts";
import { decode } from "../../host/recording/index.ts";
import { DECIDING_LINES } from "../../pure/agents/index.ts";
import { lineSplitter } from "../../pure/pipeline/index.ts";
import { standardInput } from "../terminal/index.ts";

/** Enough to see the first lines of any agent. */
const HEAD_BYTES = 64 * 1024;

/**
 * The first lines of a file or of a pipe, and the source to derive from. A pipe is opened once and read on: closing it would end its writer.
 * The last line may be cut off; then it counts only if it is the first.
 */
export async function firstLines(
  input: string,
): Promise<{ readonly lines: readonly string[]; readonly source: string | AsyncIterable<Uint8Array> }> {
  const opened = await openSource(input === "-" ? standardInput() : input);
  const rest = opened.chunks()[Symbol.asyncIterator]();
  const splitter = lineSplitter(decode);
  const read: Uint8Array[] = [];
  const lines: string[] = [];
  let isOver = false;
  for (let size = 0; size < HEAD_BYTES && lines.length < DECIDING_LINES && !isOver; ) {
    const { done, value } = await rest.next();
    isOver = done === true;
    if (done) break;
    read.push(value.bytes.slice());
    for (const { text } of splitter.push(value.bytes)) lines.push(text);
    size += value.bytes.length;
  }
  if (isOver || lines.length === 0) for (const { text } of splitter.end()) lines.push(text);
  if (input === "-" || !statSync(input).isFile()) return { lines, source: again(read, rest) };
  await rest.return?.();
  return { lines, source: input };
}

async function* again(read: readonly Uint8Array[], rest: AsyncIterator<{ readonly bytes: Uint8Array }>): AsyncGenerator<Uint8Array> {
  yield* read;
  for await (const { bytes } of { [Symbol.asyncIterator]: () => rest }) yield bytes;
}
