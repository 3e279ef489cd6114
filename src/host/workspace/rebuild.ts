import { closeSync, constants, fchmodSync, futimesSync, mkdirSync, openSync, symlinkSync } from "node:fs";
import { codeOf, HarnessError } from "../../pure/base/index.ts";
import { reasonOf } from "../files/index.ts";
import { forProgram, writeFully } from "../sink/index.ts";
import { breathing } from "./breathing.ts";
import { bytesOf } from "./byte-path.ts";
import { type Descent, descend } from "./descent.ts";
import { emptyDirectory } from "./empty-directory.ts";
import type { Entry, Manifest } from "./manifest.ts";
import { entriesOf } from "./manifest-file.ts";
import type { Objects } from "./objects.ts";

/** The reason for a file whose contents the manifest names, and the objects lack. */
export const NOT_KEPT = "its contents were not kept";

export interface NotMade {
  readonly path: string;
  readonly reason: string;
}

export interface Rebuilt {
  readonly made: number;
  /** What is missing or not exact, and why: special files, contents that were not kept, bits that would grant rights. */
  readonly notMade: readonly NotMade[];
}

/** Restores the state of a manifest into a new or empty directory. Never writes through a link, whatever the manifest says. */
export async function rebuild(manifest: Manifest, objects: Objects, into: string): Promise<Rebuilt> {
  emptyDirectory(into);
  const notMade: NotMade[] = [];
  const place = builder(descend(into, { mayBeLink: true }), Number.parseInt(manifest.rootMode, 8));
  const breath = breathing();
  let made = 0;
  try {
    for (const entry of entriesOf(manifest)) {
      const reason = make(place, entry, objects);
      if (reason === undefined) made++;
      else notMade.push({ path: entry.path, reason });
      if (entry.unlisted !== undefined) notMade.push({ path: entry.path, reason: `its names were not listed (${entry.unlisted})` });
      if (breath.due()) await breath.take();
    }
    place.finish();
  } finally {
    place.close();
  }
  return { made, notMade };
}

/** Undefined, or the reason why it was not restored. */
function make(place: Builder, entry: Entry, objects: Objects): string | undefined {
  const names = entry.path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".." || name.includes("\0"))) return "its path is not valid";
  try {
    const at = place.goTo(names);
    if (entry.type === "directory") {
      mkdirSync(at, 0o700);
      place.enter(names.at(-1) as string, entry.mode === undefined ? 0o700 : Number.parseInt(entry.mode, 8));
      return undefined;
    }
    if (entry.type === "link") {
      if (entry.link === undefined) return `its text is not known (${entry.unread})`;
      symlinkSync(bytesOf(entry.link), at);
      return undefined;
    }
    return entry.type === "file" ? makeFile(at, entry, objects) : `it is a special file (${entry.type})`;
  } catch (error) {
    if (error instanceof HarnessError || ["ENOSPC", "EDQUOT", "EROFS", "EIO"].includes(codeOf(error))) throw error;
    return reasonOf(error);
  }
}

function makeFile(at: string | Buffer, entry: Entry, objects: Objects): string | undefined {
  const { sha256, mode = "0600", mtime } = entry;
  if (sha256 === undefined) return `its contents were not read (${entry.unread})`;
  if (!objects.has(sha256)) return NOT_KEPT;
  const fd = openSync(at, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    for (const piece of objects.read(sha256)) {
      const { error } = writeFully(fd, forProgram(piece));
      if (error !== undefined) throw error;
    }
    const bits = Number.parseInt(mode, 8);
    fchmodSync(fd, bits & 0o1777);
    if (mtime !== undefined) futimesSync(fd, mtime / 1000, mtime / 1000);
    return (bits & 0o6000) === 0 ? undefined : "made, but without its set-user-id or set-group-id bit";
  } finally {
    closeSync(fd);
  }
}

interface Builder {
  /** Enters the parent directory, and returns the path of the last name. */
  goTo(names: readonly string[]): string | Buffer;
  enter(name: string, mode: number): void;
  finish(): void;
  close(): void;
}

/** Directories get their permissions when we leave them: some would not let us in again. */
function builder(descent: Descent, rootMode: number): Builder {
  const open: { readonly name: string; readonly mode: number }[] = [];
  const leave = (): void => {
    const last = open.pop();
    if (last !== undefined) fchmodSync(descent.fd(), last.mode & 0o3777);
    descent.leave();
  };
  return {
    goTo(names) {
      const parents = names.slice(0, -1);
      let common = 0;
      while (common < open.length && open[common]?.name === parents[common]) common++;
      while (open.length > common) leave();
      for (const name of parents.slice(common)) this.enter(name, 0o700);
      return descent.at(names.at(-1) ?? "");
    },
    enter(name, mode) {
      descent.enter(name);
      open.push({ name, mode });
    },
    finish() {
      while (open.length > 0) leave();
      fchmodSync(descent.fd(), rootMode & 0o3777);
    },
    close: () => descent.close(),
  };
}
