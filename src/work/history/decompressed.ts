import { Decompress } from "fzstd";
import { HarnessError } from "../../pure/base/index.ts";

/** Codex compresses sessions that are a week old. Decompressed piece by piece, so that a short file cannot fill the memory. */
export function* decompressed(path: string, pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  let found: Uint8Array[] = [];
  const stream = new Decompress((piece) => void found.push(piece));
  const push = (piece: Uint8Array, isLast: boolean) => {
    try {
      stream.push(piece, isLast);
    } catch {
      throw new HarnessError("input", `${path} is damaged: it cannot be decompressed.`);
    }
  };
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += STEP) {
      push(piece.slice(at, at + STEP), false);
      yield* found;
      found = [];
    }
  }
  push(new Uint8Array(), true);
  yield* found;
}

/** A compressed byte can become thousands. */
const STEP = 16 * 1024;
