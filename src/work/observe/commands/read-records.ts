import { textOf } from "../../../host/workspace/index.ts";

export interface StartRecord {
  readonly kind: "start";
  readonly id: string;
  /** Seconds since boot; null if it could not be read. */
  readonly uptime: number | null;
  readonly name: string;
  /** The shell that waits for the program, its child. */
  readonly wrapper: number;
  readonly ppid: number;
  /** The wrapped command that started this one; absent at the top. */
  readonly parent?: string;
  readonly argc: number;
  /** Absent if it is in a separate file. */
  readonly invocation?: Invocation;
}

/** The program, its directory and its arguments. A byte that is not UTF-8 becomes a lone surrogate, as in a manifest. */
export interface Invocation {
  readonly program: string;
  readonly cwd: string;
  readonly args: readonly string[];
}

export interface EndRecord {
  readonly kind: "end";
  readonly id: string;
  readonly uptime: number | null;
  readonly pid: number;
  readonly end: CommandEnd;
}

/** How a command ended: one of the two is set; both are null if the shell's text shows neither. */
export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The records at the start of some bytes, their total length, and how many pieces between them our wrappers did not write. */
export interface ReadRecords {
  readonly records: readonly (StartRecord | EndRecord)[];
  readonly taken: number;
  readonly malformed: number;
}

const START = ["\nS", 7] as const;
const END = ["\nE", 5] as const;
/** A longer record is not from our wrappers. */
const LONGEST_RECORD = 64 * 1024;

/** Reads the records that wrappers append: fields that end in NUL. Leaves an incomplete one at the end, because it may still grow. */
export function readRecords(bytes: Buffer): ReadRecords {
  const records: (StartRecord | EndRecord)[] = [];
  const ends = endsOfFields(bytes);
  const nextAfter = markFinder(bytes);
  let field = 0;
  let taken = 0;
  let malformed = 0;
  while (taken < bytes.length) {
    while ((ends[field] ?? bytes.length) < taken) field++;
    const found = recordAt({ bytes, ends, field }, taken);
    if (found === "unfinished" && bytes.length - taken <= LONGEST_RECORD && nextAfter(taken) === -1) break;
    if (typeof found === "object") {
      records.push(found.record);
      taken = found.to;
      continue;
    }
    malformed++;
    const next = nextAfter(taken);
    taken = next === -1 ? bytes.length : next;
  }
  return { records, taken, malformed };
}

/** The end of each field. A record may claim any number of fields: only whether there are as many may be asked, or the time is quadratic. */
function endsOfFields(bytes: Buffer): Uint32Array {
  let count = 0;
  for (const byte of bytes) if (byte === 0) count++;
  const ends = new Uint32Array(count);
  for (let i = 0, at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) ends[i++] = at;
  return ends;
}

/** Finds the start of the next possible record. Expects growing offsets. */
function markFinder(bytes: Buffer): (at: number) => number {
  const marks = ["\0\nS\0", "\0\nE\0"].map((mark) => ({ mark, place: 0 }));
  return (at) => {
    for (const each of marks) if (each.place !== -1 && each.place <= at) each.place = bytes.indexOf(each.mark, at + 1, "latin1");
    const places = marks.flatMap(({ place }) => (place === -1 ? [] : [place]));
    return places.length === 0 ? -1 : Math.min(...places) + 1;
  };
}

/** Bytes, and the index of the field that begins at the offset in question. */
interface Fields {
  readonly bytes: Buffer;
  readonly ends: Uint32Array;
  readonly field: number;
}

function recordAt(
  { bytes, ends, field }: Fields,
  at: number,
): { readonly record: StartRecord | EndRecord; readonly to: number } | "unfinished" | "malformed" {
  const left = ends.length - field;
  if (left < 1) return "unfinished";
  const { fields, to } = fieldsAt(bytes, at, 1);
  const [mark, count] = fields[0] === START[0] ? START : END;
  if (fields[0] !== mark) return "malformed";
  if (left < 1 + count) return "unfinished";
  const head = fieldsAt(bytes, to, count);
  if (mark === END[0]) return withEnd(endOf(head.fields), head.to);
  const start = startOf(head.fields);
  if (start === undefined) return "malformed";
  if (head.fields[6] === "-") return { record: start, to: head.to };
  if (left < 1 + count + start.argc + 2) return "unfinished";
  const rest = fieldsAt(bytes, head.to, start.argc + 2);
  return { record: { ...start, invocation: invocationOf(rest.fields) }, to: rest.to };
}

function withEnd(record: EndRecord | undefined, to: number): { readonly record: EndRecord; readonly to: number } | "malformed" {
  return record === undefined ? "malformed" : { record, to };
}

function fieldsAt(bytes: Buffer, at: number, count: number): { readonly fields: readonly string[]; readonly to: number } {
  const fields: string[] = [];
  let to = at;
  while (fields.length < count) {
    const end = bytes.indexOf(0, to);
    if (end === -1) break;
    fields.push(textOf(bytes.subarray(to, end)));
    to = end + 1;
  }
  return { fields, to };
}

/** Reads the separate file of a command. */
export function readInvocation(bytes: Buffer): Invocation {
  return invocationOf(fieldsAt(bytes, 0, Number.POSITIVE_INFINITY).fields);
}

function invocationOf([program = "", cwd = "", ...args]: readonly string[]): Invocation {
  return { program, cwd, args };
}

const ID = /^(\d{1,10})-[\d.]{0,20}$/;
const NUMBER = /^\d{1,10}$/;
const UPTIME = /^(?:\d{1,12}\.\d{1,6})?$/;

function startOf([id = "", uptime = "", name = "", ppid = "", parent = "", argc = "", where = ""]: readonly string[]):
  | StartRecord
  | undefined {
  const wrapper = ID.exec(id)?.[1];
  if (wrapper === undefined || name === "" || ![ppid, argc].every((number) => NUMBER.test(number))) return undefined;
  if (!UPTIME.test(uptime) || !/^[+-]$/.test(where)) return undefined;
  const numbers = { wrapper: Number(wrapper), ppid: Number(ppid), argc: Number(argc) };
  return { kind: "start", id, uptime: uptime === "" ? null : Number(uptime), name, ...(parent !== "" && { parent }), ...numbers };
}

function endOf([id = "", uptime = "", pid = "", code = "", state = ""]: readonly string[]): EndRecord | undefined {
  if (!ID.test(id) || !UPTIME.test(uptime) || !NUMBER.test(pid) || !/^\d{1,3}$/.test(code)) return undefined;
  const end = state === "" ? { exitCode: Number(code), signal: null } : readEnd(state);
  return end && { kind: "end", id, uptime: uptime === "" ? null : Number(uptime), pid: Number(pid), end };
}

const SIGNALS: readonly (readonly [start: string, signal: string])[] = [
  ["Hangup", "SIGHUP"],
  ["Interrupt", "SIGINT"],
  ["Quit", "SIGQUIT"],
  ["Illegal", "SIGILL"],
  ["Trace", "SIGTRAP"],
  ["Abort", "SIGABRT"],
  ["Bus", "SIGBUS"],
  ["Floating", "SIGFPE"],
  ["Killed", "SIGKILL"],
  ["User defined signal 1", "SIGUSR1"],
  ["Segmentation", "SIGSEGV"],
  ["User defined signal 2", "SIGUSR2"],
  ["Broken pipe", "SIGPIPE"],
  ["Alarm", "SIGALRM"],
  ["Terminated", "SIGTERM"],
  ["CPU time", "SIGXCPU"],
  ["File size", "SIGXFSZ"],
  ["Bad system", "SIGSYS"],
];

/** Reads a line of `jobs -l`: `[1] + 4711 Done(143)`. Undefined if it is something else. */
function readEnd(text: string): CommandEnd | undefined {
  const state = /^\[\d+\]\s*[+-]?\s+\d+ (.*)/s.exec(text)?.[1];
  if (state === undefined) return undefined;
  const code = /^(?:Done\((\d{1,3})\)|Exit (\d{1,3})|Done)/.exec(state);
  if (code !== null) return { exitCode: Number(code[1] ?? code[2] ?? 0), signal: null };
  return { exitCode: null, signal: SIGNALS.find(([start]) => state.startsWith(start))?.[1] ?? null };
}
