import { closeSync, openSync, readSync } from "node:fs";
import { standardInput } from "../terminal/index.ts";

/** Enough to see the first lines of any agent. */
const HEAD_BYTES = 64 * 1024;

/** The first lines of a file or of standard input, and the input to read on from. The last line may be cut off, so it does not count. */
export async function firstLines(
  input: string,
): Promise<{ readonly lines: readonly string[]; readonly source: string | AsyncIterable<Uint8Array> }> {
  if (input !== "-") return { lines: linesOf(headOf(input)), source: input };
  const rest = standardInput()[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  for (let size = 0; size < HEAD_BYTES; ) {
    const { done, value } = await rest.next();
    if (done) break;
    read.push(value);
    size += value.length;
  }
  return { lines: linesOf(Buffer.concat(read)), source: again(read, rest) };
}

async function* again(read: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* read;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Empty for a file that cannot be read: the derivation reports why. */
function headOf(path: string): Buffer {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

function linesOf(head: Buffer): readonly string[] {
  const lines = head.toString("utf8").split("\n");
  return lines.length > 1 ? lines.slice(0, -1) : lines;
}
