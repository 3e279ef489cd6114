import { closeSync, existsSync, fstatSync, ftruncateSync, readSync } from "node:fs";
import type { ExitRecord, Stream, WorkspaceBody } from "../../../pure/events/index.ts";
import { logError, openPrivate } from "../../files/index.ts";
import { own, writeFully } from "../../sink/index.ts";
import { decode } from "../derive/index.ts";
import { LONGEST_RECORD, recordLines, type StoredFact, type StoredText, storedRecordOf, type Truncation } from "../format/index.ts";
import { breather } from "./breather.ts";
import type { ObservedSoFar } from "./late-evidence.ts";
import { setAside } from "./set-aside.ts";

/** What a crash left of `records.jsonl`, and how far it goes. */
export interface KeptRecords {
  readonly last: { readonly seq: number; readonly hash: string; readonly at: number } | undefined;
  /** How far the streams are recorded. */
  readonly ends: Readonly<Record<Stream, number>>;
  readonly exit: ExitRecord | undefined;
  /** How the process ended, for a run that was still being observed: all output is recorded, but the last record is missing. */
  readonly gone: ExitRecord | undefined;
  /** What was observed so far. */
  readonly observed: ObservedSoFar;
  readonly truncated: readonly Truncation[];
  /** How many places its recorder had masked. */
  readonly masked: Readonly<Record<Stream, number>>;
  /** How many lines an earlier, interrupted repair has recorded. */
  readonly recovered: number;
  readonly repairs: readonly string[];
}

/** Keeps the records up to the first that is torn, damaged or out of order, and sets the rest aside. */
export async function keptRecords(path: string): Promise<KeptRecords> {
  const repairs = existsSync(path) ? [] : ["records.jsonl was missing and has been rebuilt"];
  const { fd } = openPrivate(path);
  try {
    const keeper = recordKeeper();
    const lines = recordLines(fd, decode);
    const isGood = await keptAll(lines.more(), keeper);
    const rest = fstatSync(fd).size - keeper.end;
    if (isGood && rest > 0 && rest <= LONGEST_RECORD && keeper.keep(textAt(fd, keeper.end, rest), keeper.end + rest)) {
      const { error } = writeFully(fd, own`\n`); // only its newline is missing
      if (error !== undefined) throw error;
      repairs.push("the last record lacked its newline");
    } else if (rest > 0) {
      const aside = setAside(fd, path, keeper.end);
      ftruncateSync(fd, keeper.end);
      repairs.push(`records.jsonl was torn or damaged at byte ${keeper.end}; the rest was moved to ${aside}`);
    }
    return { ...keeper.kept(), repairs };
  } catch (error) {
    throw logError(`Cannot repair ${path}`, error);
  } finally {
    closeSync(fd);
  }
}

async function keptAll(pieces: Iterable<Iterable<StoredText>>, keeper: ReturnType<typeof recordKeeper>): Promise<boolean> {
  const breathe = breather();
  for (const lines of pieces) {
    for (const { text, end } of lines) if (!keeper.keep(text, end)) return false;
    await breathe();
  }
  return true;
}

function textAt(fd: number, offset: number, length: number): string {
  const buffer = Buffer.alloc(length);
  return buffer.toString("utf8", 0, readSync(fd, buffer, 0, length, offset));
}

function recordKeeper() {
  const ends: Record<Stream, number> = { stdout: 0, stderr: 0 };
  const masked: Record<Stream, number> = { stdout: 0, stderr: 0 };
  const truncated: Truncation[] = [];
  const moved = new Set<Stream>(); // a line that had begun before a truncation began before that place
  let last: KeptRecords["last"];
  let exit: ExitRecord | undefined;
  let gone: ExitRecord | undefined;
  let recovered = 0;
  let end = 0;
  const types = new Set<string>();
  let workspace: WorkspaceBody | undefined;

  function observe(body: StoredFact["body"]): void {
    if (body.type === "files-changed" && body.turn !== undefined) return;
    types.add(body.type === "artifact" ? `artifact ${body.role}` : body.type);
    if (body.type === "workspace-prepared") workspace = body;
  }

  return {
    /** Accepts the text if it is the next record, which then ends at `to`. False if it is not. */
    keep(text: string, to: number): boolean {
      const record = storedRecordOf(text);
      if (record === undefined || exit !== undefined || record.seq !== (last?.seq ?? 0) + 1) return false;
      if (record.type === "line") {
        if (gone !== undefined) return false;
        const end = ends[record.stream];
        if (record.offset !== end && !(moved.has(record.stream) && record.offset < end)) return false;
        moved.delete(record.stream);
        ends[record.stream] = record.offset + record.length + (record.unterminated ? 0 : 1);
        masked[record.stream] = record.masked ?? masked[record.stream];
        if (record.recovered) recovered++;
      } else if (record.type === "exit") {
        const { seq: _, hash: __, ...body } = record;
        exit = body;
      } else if (record.body.type === "process-observed") {
        observe(record.body);
        const { exitCode, signal, durationMs, stopped } = record.body;
        gone = { type: "exit", at: record.at, exitCode, signal, durationMs, ...(stopped && { stopped }) };
      } else if (record.truncation !== undefined) {
        truncated.push(record.truncation);
        ends[record.truncation.stream] = record.truncation.offset;
        moved.add(record.truncation.stream);
      } else observe(record.body);
      last = { seq: record.seq, hash: record.hash, at: record.at };
      end = to;
      return true;
    },
    /** The offset of the next record. */
    get end(): number {
      return end;
    },
    kept: () => ({ last, ends, exit, gone, observed: { types, workspace }, truncated, masked, recovered }),
  };
}
