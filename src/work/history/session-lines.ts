import { createHash } from "node:crypto";
import { fileLine, type Store } from "../../pure/agents/index.ts";
import { HarnessError, parseObject } from "../../pure/base/index.ts";
import { aboutRecords, piecesUpTo } from "./file-pieces.ts";
import type { MeasuredFile } from "./measure-file.ts";
import { wholeText } from "./whole-text.ts";

/** Lines of a session, verbatim, with the time of the last one. */
export interface Timed {
  readonly bytes: Uint8Array;
  readonly at: number;
}

const LF = 0x0a;

/**
 * All lines of a session's files in the order of their times. A line without a time has that of the line before it. Our own line says from
 * which file the following ones are; a document follows as text. A file that is still growing is read up to its last complete line.
 */
export function* sessionLines(store: Store, files: readonly MeasuredFile[]): Generator<Timed, void> {
  const lined = files.filter(({ kind }) => kind !== "document").map((file) => openLines(store, file));
  const documents = new Map(files.filter(({ kind }) => kind === "document").map((file) => [stemOf(file.name), file]));
  try {
    let current: Lines | undefined;
    for (let next = earliest(lined); next !== undefined; next = earliest(lined)) {
      const { line } = next;
      if (line === undefined) break;
      if (next !== current) {
        const about = documents.get(stemOf(next.file.name));
        if (about !== undefined) {
          documents.delete(stemOf(next.file.name));
          yield { bytes: documentLine(about), at: line.at };
        }
        yield {
          bytes: Buffer.from(`${fileLine(next.file.name, next.isBegun ? undefined : aboutRecords(store, next.file))}\n`),
          at: line.at,
        };
        next.isBegun = true;
        current = next;
      }
      yield line;
      next.advance();
    }
    for (const about of documents.values()) yield { bytes: documentLine(about), at: about.mtimeMs };
  } finally {
    for (const each of lined) each.close();
  }
}

function stemOf(name: string): string {
  return name.replace(/(\.meta|\.messages)?\.jsonl?$/, "");
}

function documentLine(file: MeasuredFile): Uint8Array {
  const text = wholeText(file);
  if (createHash("sha256").update(text).digest("hex") !== file.sha256)
    throw new HarnessError("input", `${file.path} changed while it was read. Import it again.`);
  return Buffer.from(`${fileLine(file.name, text)}\n`);
}

interface Lines {
  readonly file: MeasuredFile;
  isBegun: boolean;
  /** The next line; undefined at the end. */
  readonly line: Timed | undefined;
  advance(): void;
  close(): void;
}

function earliest(files: readonly Lines[]): Lines | undefined {
  let first: Lines | undefined;
  for (const each of files) if (each.line !== undefined && (first?.line === undefined || each.line.at < first.line.at)) first = each;
  return first;
}

function openLines(store: Store, file: MeasuredFile): Lines {
  const hash = createHash("sha256");
  const pieces = piecesUpTo(store, file, file.bytes);
  const lines = linesOf(pieces);
  let at = 0;
  let line: Timed | undefined;

  function advance(): void {
    const next = lines.next();
    if (next.done) {
      line = undefined;
      if (hash.digest("hex") === file.sha256) return;
      throw new HarnessError("input", `${file.path} changed while it was read. Import it again.`);
    }
    hash.update(next.value);
    const record = parseObject(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length).toString("utf8"));
    at = Math.max(at, (record === undefined ? undefined : store.at(record)) ?? at);
    line = { bytes: next.value, at };
  }

  advance();
  return {
    file,
    isBegun: false,
    get line() {
      return line;
    },
    advance,
    close: () => void pieces.return(),
  };
}

/** Complete lines, each with its end. What follows the last end is still being written, and is left out. */
function* linesOf(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  let rest: Buffer[] = [];
  for (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(LF); end !== -1; end = piece.indexOf(LF, from)) {
      const part = piece.subarray(from, end + 1);
      yield rest.length === 0 ? Buffer.from(part) : Buffer.concat([...rest, part]);
      rest = [];
      from = end + 1;
    }
    if (from < piece.length) rest.push(Buffer.from(piece.subarray(from)));
  }
}
