import type { Hash } from "node:crypto";
import { existsSync, statSync, truncateSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type AppendFile, acquireLock, openAppendFile } from "../../../host/files/index.ts";
import { type DataDirectory, ensurePrivate } from "../../../host/recording/index.ts";
import { hideSecretsIn } from "../../../host/secrets/index.ts";
import { json, own, recorded, writeFile } from "../../../host/sink/index.ts";
import { HarnessError, type JsonObject, parseObject } from "../../../pure/base/index.ts";
import { readLines, readStretch } from "../cases/index.ts";
import { evaluationIdOf } from "./evaluation-id.ts";
import { hashOfFile } from "./hash-of-file.ts";
import { moveLines } from "./move-lines.ts";
import { nameOfResults } from "./name-of-results.ts";
import { checkFields } from "./read-results.ts";

/** Identifies the work behind one line: two lines with the same key are the same work. */
export interface Finished {
  readonly id: string;
  readonly agent: string;
  /** The hash of the agent and its settings. */
  readonly configuration: string;
  /** The hash of the case. */
  readonly caseHash: string;
  /** The id of its evaluation; absent in a line of an earlier version. */
  readonly evaluation?: string;
}

/** An earlier line to which more trials can be added. */
export interface OpenLine {
  readonly work: Finished;
  /** How many of its trials need not run again. */
  readonly kept: number;
  readonly offset: number;
  readonly length: number;
}

export interface ResultFile {
  /** Undefined for standard output. */
  readonly path?: string;
  /** The id of the evaluation; undefined if an earlier version began the file. */
  readonly evaluation: string | undefined;
  /** The earlier results, in file order. */
  readonly finished: readonly Finished[];
  /** Those of them that are not complete. */
  readonly open: readonly OpenLine[];
  /** The file that received a torn last line, if there was one. */
  readonly torn?: string;
  /** Moves lines to a file next to this one, whose path it returns: their cases get a new line. Call it before `begin`. */
  reopen(lines: readonly OpenLine[]): string;
  /** Creates the file, or empties the one to overwrite. Call it after all checks; the first `append` does it too. */
  begin(): void;
  /** Returns when the whole line is in the file. */
  append(line: object): void;
  /** Rejects if the file is not what we wrote: a process that an agent left running can reach it too. */
  close(): Promise<void>;
}

export interface ResultFileOptions {
  readonly data: DataDirectory;
  readonly append?: boolean;
  readonly force?: boolean;
  readonly command: string;
  /** How many trials of a line stay if more are added to it; undefined if it is complete. Default: every line is. */
  readonly keptOf?: ((line: JsonObject) => number | undefined) | undefined;
}

/**
 * Opens the file for one writer. Rejects a file with results unless `append` or `force` is set. On `append`, the torn last line of a
 * killed writer moves to a separate file, and every complete line stays byte for byte.
 */
export async function openResultFile(
  path: string,
  { data, append = false, force = false, command, keptOf = () => undefined }: ResultFileOptions,
): Promise<ResultFile> {
  const file = resolve(path);
  if (!existsSync(dirname(file)))
    throw new HarnessError("usage", `Directory not found: ${dirname(file)}. Create it.`, { option: "output" });
  const lock = await acquireLock(lockPlace(data, file), { command, subject: path });
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > 0 && !append && !force) throw new HarnessError("usage", `${path} already contains results.`, { option: "append" });
    const { finished, open, torn } = size > 0 && append ? continued(file, keptOf) : { finished: [], open: [], torn: undefined };
    const evaluation = evaluationIdOf(data, file, { isContinued: append, lines: finished });
    let begun: { readonly out: AppendFile; readonly hash: Hash } | undefined;
    const begin = () => {
      if (begun !== undefined) return begun;
      if (size > 0 && force && !append) truncateSync(file);
      evaluation.keep();
      begun = { out: openAppendFile(file), hash: hashOfFile(file) };
      return begun;
    };
    return {
      path: file,
      evaluation: evaluation.id,
      finished,
      open,
      ...(torn === undefined ? {} : { torn }),
      reopen(lines) {
        const aside = `${file}.replaced`;
        moveLines(file, lines, aside);
        return aside;
      },
      begin,
      append(line) {
        const { out, hash } = begin();
        const text = own`${json(hideSecretsIn(line))}\n`;
        out.append(text);
        hash.update(text);
      },
      close: () => (begun === undefined ? lock.release() : closed(begun.out, begun.hash, lock)),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function closed(out: AppendFile, written: Hash, lock: { release(): Promise<void> }): Promise<void> {
  try {
    await out.sync();
    if (written.digest("hex") !== hashOfFile(out.path).digest("hex"))
      throw new HarnessError(
        "output",
        `${out.path} was changed by a different program while it was written. Do not trust it: grade its recorded runs again.`,
      );
  } finally {
    out.close();
    await lock.release();
  }
}

/** A file's lock, wherever the file is: a directory in the data directory, named after its path. */
function lockPlace(data: DataDirectory, file: string): string {
  const place = join(data.root, "evaluations", "locks", nameOfResults(file));
  ensurePrivate(data.root, { mayBeLink: true });
  ensurePrivate(place);
  return place;
}

export function continued(
  file: string,
  keptOf: (line: JsonObject) => number | undefined,
): { finished: Finished[]; open: OpenLine[]; torn?: string } {
  const finished: Finished[] = [];
  const open: OpenLine[] = [];
  let line = 0;
  let whole = 0;
  let last: { offset: number; length: number } | undefined;
  for (const { text, offset, length, terminated, oversize } of readLines(file)) {
    line++;
    if (!terminated) {
      last = { offset, length };
      break;
    }
    whole = offset + length + 1;
    if (text.trim() === "") continue;
    const value = oversize ? undefined : parseObject(text);
    const found = finishedOf(value);
    if (value === undefined || found === undefined)
      throw new HarnessError("input", `${file}:${line}: this line is not a result, so the file cannot be continued. Fix the line.`, {
        option: "output",
      });
    checkFields(value, `${file}:${line}`);
    add(value, found, offset, length);
  }
  if (last === undefined) return { finished, open };
  // A complete result that only lacks its newline counts as finished. The next line must start a new one.
  const rest = last.length < 64 * 1024 * 1024 ? readStretch(file, last.offset, last.length) : "";
  const value = parseObject(rest);
  const complete = finishedOf(value);
  if (value !== undefined && complete !== undefined) {
    writeFile(file, own`\n`, { flag: "a" });
    add(value, complete, last.offset, last.length);
    return { finished, open };
  }
  const torn = join(dirname(file), `${basename(file)}.torn-${last.offset}`);
  writeFile(torn, recorded(rest), { mode: 0o600 });
  truncateSync(file, whole);
  return { finished, open, torn };

  function add(value: JsonObject, work: Finished, offset: number, length: number): void {
    finished.push(work);
    const kept = keptOf(value);
    if (kept !== undefined) open.push({ work, kept, offset, length });
  }
}

function finishedOf(value: JsonObject | undefined): Finished | undefined {
  if (value === undefined) return undefined;
  const { id, agent, configuration, caseHash, evaluation } = value;
  if (typeof id !== "string") return undefined;
  const textOf = (field: unknown) => (typeof field === "string" ? field : "");
  const named = typeof evaluation === "string" ? { evaluation } : {};
  return { id, agent: textOf(agent), configuration: textOf(configuration), caseHash: textOf(caseHash), ...named };
}
