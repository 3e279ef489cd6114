import { type Dirent, lstatSync, opendirSync, readdirSync, type Stats } from "node:fs";
import { codeOf } from "../../pure/base/index.ts";
import { textOf } from "./byte-path.ts";
import type { Descent } from "./descent.ts";

export type EntryType = "file" | "directory" | "link" | "fifo" | "socket" | "block-device" | "character-device" | "unknown";

/** Why some or all names in a directory are not listed. */
export type Unlisted = "entry-budget" | "time-budget" | "depth-budget" | "denied" | "mount" | "changed" | "error";

export interface Named {
  readonly name: string;
  readonly type: EntryType;
}

/** A directory of this size may hold too many names for memory. It is read in pieces, which takes four times as long. */
const LARGE = 1024 * 1024;

const ASCII = /^[\0-\x7f]*$/;

/** The names in the current directory, sorted, with their types: at most `room`. Does not open any of them. */
export function namesIn(descent: Descent, room: number): { names: Named[]; unlisted?: Unlisted } {
  let found: { names: Named[]; unlisted?: Unlisted };
  try {
    found = (descent.size() < LARGE ? inOneCall(descent, room) : undefined) ?? pieceByPiece(descent, room);
  } catch (error) {
    return { names: [], unlisted: whyUnlisted(error) };
  }
  found.names.sort((a, b) => (a.name < b.name ? -1 : 1));
  return found;
}

/** Undefined if there are too many names, or if the system does not report their types: then Node would look up wrong names. */
function inOneCall(descent: Descent, room: number): { names: Named[] } | undefined {
  try {
    const entries = readdirSync(descent.here(), { encoding: "latin1", withFileTypes: true });
    if (entries.length > room) return undefined;
    const names = entries.map((entry) => {
      const name = ASCII.test(entry.name) ? entry.name : textOf(Buffer.from(entry.name, "latin1"));
      return { name, type: typeOf(entry) ?? looked(descent.at(name)) };
    });
    return { names };
  } catch {
    return undefined;
  }
}

function pieceByPiece(descent: Descent, room: number): { names: Named[]; unlisted?: Unlisted } {
  const names: Named[] = [];
  const directory = opendirSync(descent.here(), { encoding: "buffer", bufferSize: 256 } as never);
  try {
    for (;;) {
      const entry = directory.readSync() as Dirent<Buffer> | null;
      if (entry === null) return { names };
      if (names.length >= room) return { names, unlisted: "entry-budget" };
      const name = textOf(entry.name);
      names.push({ name, type: typeOf(entry) ?? looked(descent.at(name)) });
    }
  } finally {
    directory.closeSync();
  }
}

/** Some file systems do not include types in a listing. */
function looked(at: string | Buffer): EntryType {
  try {
    return typeOf(lstatSync(at)) ?? "unknown";
  } catch {
    return "unknown";
  }
}

export function typeOf(entry: Dirent | Dirent<Buffer> | Stats): EntryType | undefined {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  if (entry.isBlockDevice()) return "block-device";
  if (entry.isCharacterDevice()) return "character-device";
  return undefined;
}

export function whyUnlisted(error: unknown): Unlisted {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return "denied";
  return ["ENOENT", "ELOOP", "ENOTDIR"].includes(code) ? "changed" : "error";
}
