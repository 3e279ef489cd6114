import { createHash } from "node:crypto";
import { closeSync } from "node:fs";
import { type Part, type WireLine, wireLineOf } from "../../../pure/wire/index.ts";
import { openToRead } from "../../files/index.ts";
import { decode } from "../derive/index.ts";
import { CHAIN_START, type FileSeal, isLinked, recordLines, sealOfFile } from "../format/index.ts";

/** A request and its answer, as recorded. */
export interface WireCall {
  readonly call: number;
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly (string | null)[])[];
  /** Null: not recorded, or not text. */
  readonly body: string | null;
  readonly startedAt: number;
  /** Undefined: there was none. */
  readonly answer?: WireAnswer;
  /** It ended, whole or not. */
  readonly isOver: boolean;
  readonly problem?: string;
}

export interface WireAnswer {
  readonly at: number;
  readonly status: number;
  readonly headers: readonly (readonly (string | null)[])[];
  readonly chunks: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  /** False: of some bytes only the size was recorded. */
  readonly isWhole: boolean;
}

/** What the requests of a recording may hold together, in characters: a forged one may say that it holds more than any machine can. */
const MOST_CHARACTERS = 512 * 1024 * 1024;

type Draft = { -readonly [Key in keyof WireCall]: WireCall[Key] };
type AnswerDraft = { -readonly [Key in keyof WireAnswer]: WireAnswer[Key] };

/** The requests of a run in the order in which they began; undefined if the run did not record them. What cannot be read is left out. */
export function readWire(path: string): readonly WireCall[] | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  const calls = new Map<number, Draft>();
  const answers = new Map<number, AnswerDraft & { chunks: { at: number; bytes: Uint8Array }[] }>();
  const texts = pieceTexts();
  try {
    for (const lines of recordLines(fd, decode).more())
      for (const { text } of lines) {
        const line = wireLineOf(text);
        if (line !== undefined) take(line);
      }
  } finally {
    closeSync(fd);
  }
  return [...calls.values()]
    .sort((a, b) => a.call - b.call)
    .map((call) => {
      const answer = answers.get(call.call);
      return answer === undefined ? call : { ...call, answer };
    });

  function take(line: WireLine): void {
    switch (line.type) {
      case "piece":
        return texts.add(line.piece, line.parts as readonly Part[]);
      case "request": {
        const { call, origin, method, path: asked, headers, at } = line;
        const body = line.parts === undefined ? null : (texts.join(line.parts as readonly Part[]) ?? null);
        calls.set(call, { call, origin, method, path: asked, headers, body, startedAt: at, isOver: false });
        return;
      }
      case "answer":
        answers.set(line.call, { at: line.at, status: line.status, headers: line.headers, chunks: [], isWhole: true });
        return;
      case "chunk": {
        const answer = answers.get(line.call);
        if (answer === undefined) return;
        if (line.text !== undefined) answer.chunks.push({ at: line.at, bytes: Buffer.from(line.text) });
        else if (line.base64 !== undefined) answer.chunks.push({ at: line.at, bytes: Buffer.from(line.base64, "base64") });
        else answer.isWhole = false;
        return;
      }
      case "end": {
        const call = calls.get(line.call);
        if (call === undefined) return;
        call.isOver = true;
        if (line.problem !== undefined) call.problem = line.problem;
      }
    }
  }
}

/** Pieces by number. A piece refers only to pieces before it, and all texts together have a limit. */
function pieceTexts() {
  const texts: string[] = [];
  let left = MOST_CHARACTERS;

  function taken(text: string | undefined): string | undefined {
    left -= text?.length ?? 0;
    return left < 0 ? undefined : text;
  }

  function run(each: unknown): readonly string[] | undefined {
    const [first, last] = Array.isArray(each) ? each : [each, each];
    if (typeof first !== "number" || typeof last !== "number" || last >= texts.length || first > last) return undefined;
    return texts.slice(first, last + 1);
  }

  function join(parts: readonly Part[]): string | undefined {
    let all = "";
    for (const part of parts) {
      const isList = typeof part === "object" && !Array.isArray(part);
      const runs = typeof part === "string" ? [] : isList ? (part as { list: readonly unknown[] }).list.map(run) : [run(part)];
      if (runs.some((each) => each === undefined)) return undefined;
      const found = runs.flatMap((each) => each ?? []);
      const length = typeof part === "string" ? part.length : found.reduce((sum, each) => sum + each.length + 1, 0);
      if (all.length + length > left) return undefined;
      all += typeof part === "string" ? part : found.join(isList ? "," : "");
    }
    return taken(all);
  }

  return {
    join,
    add(number: number, parts: readonly Part[]): void {
      if (number === texts.length) texts.push(join(parts) ?? "");
    },
  };
}

/** The first place at which the file is not as it was sealed. */
export function wireFlaws(
  path: string,
  sealed: FileSeal | undefined,
): readonly { readonly file: string; readonly line?: number; readonly offset?: number; readonly problem: string }[] {
  const file = "wire.jsonl";
  const found = sealOfFile(path);
  if (found?.sha256 === sealed?.sha256) return [];
  if (found === undefined) return [{ file, problem: "it is missing" }];
  if (sealed === undefined) return [{ file, problem: "it was not sealed: it was added later" }];
  const fd = openToRead(path);
  if (fd === undefined) return [{ file, problem: "it is missing" }];
  try {
    let [head, line, offset] = [CHAIN_START, 0, 0];
    for (const lines of recordLines(fd, decode).more())
      for (const each of lines) {
        line++;
        if (!isLinked(each.text, createHash("sha256"), head)) return [{ file, line, offset: each.offset, problem: "the line was changed" }];
        head = each.text.slice(-66, -2);
        offset = each.end;
      }
    return [{ file, line: line + 1, offset, problem: `it has ${found.bytes} bytes; ${sealed.bytes} were sealed` }];
  } finally {
    closeSync(fd);
  }
}
