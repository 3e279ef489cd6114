import { rmSync } from "node:fs";
import { join } from "node:path";
import { openAppendFile } from "../../../host/files/index.ts";
import { type DataDirectory, ensurePrivate } from "../../../host/recording/index.ts";
import { hideSecretsIn } from "../../../host/secrets/index.ts";
import { json, own } from "../../../host/sink/index.ts";
import { arrayOf, isObject, parseJson, parseObject } from "../../../pure/base/index.ts";
import { readLines } from "../cases/index.ts";
import type { TrialEntry } from "../trial/index.ts";
import { nameOfResults } from "./name-of-results.ts";
import type { Finished } from "./result-file.ts";

/** Keeps the finished trials of unfinished cases, so that they need not run again. The lock of the results protects it. */
export interface Journal {
  entriesOf(work: Finished): TrialEntry[];
  append(work: Finished, entry: TrialEntry): void;
  /** Replaces the entries of earlier calls by what `check` returns for them. */
  prove(check: (work: Finished, entry: TrialEntry) => Promise<TrialEntry>): Promise<void>;
  /** Takes over the trials of a line that is reopened. */
  keep(work: Finished, trials: readonly TrialEntry[]): void;
  /** Called when the results file has everything. */
  remove(): void;
  close(): void;
}

export function openJournal(data: DataDirectory, results: string, { isContinued }: { readonly isContinued: boolean }): Journal {
  const folder = join(data.root, "evaluations", "journals");
  ensurePrivate(folder);
  const path = join(folder, `${nameOfResults(results)}.jsonl`);
  if (!isContinued) rmSync(path, { force: true });
  const out = openAppendFile(path);
  const entries = new Map<string, TrialEntry[]>();
  let isTorn = false;
  for (const { text, terminated } of out.size === 0 ? [] : readLines(path)) {
    isTorn = !terminated;
    const line = parsed(text);
    if (line !== undefined) entries.set(line.key, [...(entries.get(line.key) ?? []), line.entry]);
  }
  if (isTorn) out.append(own`\n`); // ends the partial line of a killed writer
  const append = (work: Finished, entry: TrialEntry) => out.append(own`${json(hideSecretsIn({ key: keyOf(work), entry }))}\n`);
  return {
    entriesOf: (work) => [...(entries.get(keyOf(work)) ?? [])],
    append,
    async prove(check) {
      for (const [key, all] of entries) {
        const work = workOf(key);
        const latest = new Map(all.map((entry) => [entry.trialNum, entry]));
        const proven: TrialEntry[] = [];
        for (const entry of work === undefined ? [] : latest.values()) proven.push(await check(work as Finished, entry));
        entries.set(key, proven);
      }
    },
    keep(work, trials) {
      for (const entry of trials) append(work, entry);
      entries.set(keyOf(work), [...(entries.get(keyOf(work)) ?? []), ...trials]);
    },
    remove: () => rmSync(path, { force: true }),
    close: () => out.close(),
  };
}

function keyOf({ id, agent, configuration, caseHash }: Finished): string {
  return json(hideSecretsIn([id, agent, configuration, caseHash])); // as it is written
}

function workOf(key: string): Finished | undefined {
  const [id, agent, configuration, caseHash] = arrayOf(jsonOf(key)) ?? [];
  return [id, agent, configuration, caseHash].every((part) => typeof part === "string")
    ? ({ id, agent, configuration, caseHash } as Finished)
    : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function parsed(text: string): { key: string; entry: TrialEntry } | undefined {
  const { key, entry } = parseObject(text) ?? {};
  return typeof key === "string" && isObject(entry) ? { key, entry: entry as unknown as TrialEntry } : undefined;
}
