import { type Dirent, lstatSync, opendirSync, type Stats } from "node:fs";
import { codeOf } from "../store/log-error.ts";
import { textOf } from "./byte-path.ts";
import type { Descent } from "./descent.ts";

export type EntryType = "file" | "directory" | "link" | "fifo" | "socket" | "block-device" | "character-device" | "unknown";

/** Why the names in a directory are not, or not all, listed. */
export type Unlisted = "entry-budget" | "time-budget" | "depth-budget" | "denied" | "mount" | "changed" | "error";

export interface Named {
  readonly name: string;
  readonly type: EntryType;
}

/** The names in the directory we are in, in order, with their types: at most so many, and never a look into any of them. */
export function namesIn(descent: Descent, room: number): { names: Named[]; unlisted?: Unlisted } {
  const names: Named[] = [];
  let unlisted: Unlisted | undefined;
  try {
    const directory = opendirSync(descent.here(), { encoding: "buffer", bufferSize: 256 } as never);
    try {
      for (;;) {
        const entry = directory.readSync() as Dirent<Buffer> | null;
        if (entry === null) break;
        if (names.length >= room) {
          unlisted = "entry-budget";
          break;
        }
        const name = textOf(entry.name);
        names.push({ name, type: typeOf(entry) ?? looked(descent.at(name)) });
      }
    } finally {
      directory.closeSync();
    }
  } catch (error) {
    unlisted = whyUnlisted(error);
  }
  names.sort((a, b) => (a.name < b.name ? -1 : 1));
  return unlisted === undefined ? { names } : { names, unlisted };
}

/** Some file systems do not say in the listing what an entry is. */
function looked(at: string | Buffer): EntryType {
  try {
    return typeOf(lstatSync(at)) ?? "unknown";
  } catch {
    return "unknown";
  }
}

export function typeOf(entry: Dirent<Buffer> | Stats): EntryType | undefined {
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
