import type { Store } from "../../pure/agents/index.ts";
import { ownRow, sessionRows } from "./database-rows.ts";
import { aroundList, listRecords } from "./list-records.ts";
import type { SessionFile } from "./session-file.ts";
import { fileBytes } from "./whole-text.ts";

/** What is imported of a file: its bytes, or its records as lines. Each piece is valid until the next one is requested. */
export function* piecesOf(store: Store, file: SessionFile): Generator<Uint8Array, void> {
  const { kind, path, session } = file;
  if (kind === "list") yield* lines(listRecords(store, file));
  else if (session !== undefined) yield* lines(sessionRows(store, path, session));
  else yield* fileBytes(file);
}

function* lines(texts: readonly string[]): Generator<Uint8Array, void> {
  for (const text of texts) yield Buffer.from(`${text}\n`);
}

/** What a file says about its records, as text. It changes with each, so it is not part of what must stay the same. */
export function aboutRecords(store: Store, file: SessionFile): string | undefined {
  if (file.kind === "list") return aroundList(store, file);
  return file.session === undefined ? undefined : ownRow(store, file.path, file.session);
}

/** The first bytes of what is imported. */
export function* piecesUpTo(store: Store, file: SessionFile, most: number): Generator<Uint8Array, void> {
  let left = most;
  for (const piece of piecesOf(store, file)) {
    if (left <= 0) return;
    yield piece.subarray(0, Math.min(left, piece.length));
    left -= piece.length;
  }
}
