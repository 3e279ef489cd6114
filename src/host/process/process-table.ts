import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** A process as `ps` shows it. */
export interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: string;
  readonly hasTerminal: boolean;
  /** Its first letter is the state. */
  readonly state: string;
  /** Its arguments, and after them its variables if the system shows them: only those of the user's own processes. */
  readonly command: string;
}

/** Without it, as on macOS, `ps` lists processes. No Mac has run this yet. */
export const HAS_PROC = existsSync("/proc/self/stat");

const COLUMNS = "pid=,ppid=,pgid=,sess=,tty=,stat=,command=";
const MOST_BYTES = 64 * 2 ** 20;
/** A list is good for as long as one pass over it takes. */
const GOOD_FOR_MS = 20;

let last: { readonly at: number; readonly rows: ReadonlyMap<number, Row> } | undefined;

/** All processes by their number, from `ps`. */
export function processTable(isNew = false): ReadonlyMap<number, Row> {
  if (isNew || last === undefined || performance.now() - last.at > GOOD_FOR_MS)
    last = { at: performance.now(), rows: new Map(rowsIn(listed(process.platform)).map((row) => [row.pid, row])) };
  return last.rows;
}

/** The option for variables is `-E` on macOS, and a letter without a dash on Linux. */
export function listed(platform: string): string {
  const args = platform === "linux" ? ["axeww", "-o", COLUMNS] : ["-A", "-E", "-ww", "-o", COLUMNS];
  const { stdout } = spawnSync("/bin/ps", args, { encoding: "latin1", maxBuffer: MOST_BYTES, env: { LC_ALL: "C", PATH: "/usr/bin:/bin" } });
  return stdout ?? "";
}

export function rowsIn(text: string): readonly Row[] {
  return text.split("\n").flatMap((line): readonly Row[] => {
    const [, pid, parent, group, session = "", tty = "", state = "", command = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) return [];
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), session, hasTerminal: !/^(?:\?\??|-)$/.test(tty), state, command },
    ];
  });
}
