import { createHash, hash } from "node:crypto";
import { type Part, partsOf } from "../../../pure/wire/index.ts";
import type { AppendFile } from "../../files/index.ts";
import { json, recorded, type Safe } from "../../sink/index.ts";
import { CHAIN_START, chainedLine } from "../format/index.ts";

/** `wire.jsonl`, while it is written. Each line has its number, and a hash that covers the line and everything before it. */
export interface WireFile {
  add(body: Safe<object>): void;
  /** Cuts a masked body into parts. What it shares with earlier bodies was written then. */
  parts(body: Safe<string>): Safe<readonly Part[]>;
  readonly head: string;
}

export function wireFile(file: AppendFile): WireFile {
  let head = CHAIN_START;
  let seq = 0;
  const pieces = new Map<string, number>();

  function add(body: Safe<object>): void {
    const line = chainedLine(++seq, json(body), head);
    file.append(line.text);
    head = line.hash;
  }

  function store(text: string, parts: readonly Part[]): number {
    const sha256 = hash("sha256", text);
    const known = pieces.get(sha256);
    if (known !== undefined) return known;
    const piece = pieces.size;
    pieces.set(sha256, piece);
    add(recorded({ type: "piece", piece, sha256, parts }));
    return piece;
  }

  return {
    add,
    parts: (body) => recorded(partsOf(body, store)),
    get head() {
      return head;
    },
  };
}

/** The key of a body: equal bodies have equal keys. */
export function keyOf(...texts: readonly string[]): string {
  const sum = createHash("sha256");
  for (const text of texts) sum.update(text).update("\0");
  return sum.digest("base64");
}
