import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { openAppendFile } from "../../../host/files/index.ts";
import { type DataDirectory, ensurePrivate } from "../../../host/recording/index.ts";
import { isObject, parseObject } from "../../../pure/base/index.ts";
import { readLines } from "../cases/index.ts";
import type { Entrant, TrialEntry } from "../trial/index.ts";

/** The finished trials of cases that are not finished, so that nobody has to run them again. Guarded by the lock of the results. */
export interface Journal {
  entriesOf(id: string, entrant: Entrant, caseHash: string): TrialEntry[];
  append(id: string, entrant: Entrant, caseHash: string, entry: TrialEntry): void;
  /** All of it is in the results now. */
  remove(): void;
  close(): void;
}

export function openJournal(data: DataDirectory, results: string, { isContinued }: { readonly isContinued: boolean }): Journal {
  const folder = join(data.root, "evaluations", "journals");
  ensurePrivate(folder);
  const path = join(folder, `${createHash("sha256").update(resolve(results)).digest("hex").slice(0, 32)}.jsonl`);
  if (!isContinued) rmSync(path, { force: true });
  const out = openAppendFile(path);
  const entries = new Map<string, TrialEntry[]>();
  let isTorn = false;
  for (const { text, terminated } of out.size === 0 ? [] : readLines(path)) {
    isTorn = !terminated;
    const line = parsed(text);
    if (line !== undefined) entries.set(line.key, [...(entries.get(line.key) ?? []), line.entry]);
  }
  if (isTorn) out.append("\n"); // what a killed writer left of its last line is nobody's
  const keyOf = (id: string, { label, configuration }: Entrant, caseHash: string) => JSON.stringify([id, label, configuration, caseHash]);
  return {
    entriesOf: (id, entrant, hash) => [...(entries.get(keyOf(id, entrant, hash)) ?? [])],
    append: (id, entrant, hash, entry) => out.append(`${JSON.stringify({ key: keyOf(id, entrant, hash), entry })}\n`),
    remove: () => rmSync(path, { force: true }),
    close: () => out.close(),
  };
}

function parsed(text: string): { key: string; entry: TrialEntry } | undefined {
  const { key, entry } = parseObject(text) ?? {};
  return typeof key === "string" && isObject(entry) ? { key, entry: entry as unknown as TrialEntry } : undefined;
}
