import type { EntryType, Unlisted } from "./names-in.ts";
import type { Unread } from "./read-regular.ts";

/** One entry of a workspace, as found. A missing field was unknown or does not apply. */
export interface Entry {
  /** Relative to the workspace, with `/`. A byte that is not UTF-8 is a lone surrogate, U+DC80 to U+DCFF. */
  readonly path: string;
  readonly type: EntryType;
  /** Permissions, as four octal digits. */
  readonly mode?: string;
  readonly size?: number;
  readonly sha256?: string;
  /** The target of a link, verbatim. */
  readonly link?: string;
  /** Milliseconds since 1970. The digest covers only the fields before this one. */
  readonly mtime?: number;
  /** How many names the file has, if more than one; some may be outside the workspace. */
  readonly names?: number;
  /** The file changed while it was read, so it may never have had exactly these contents. */
  readonly changing?: true;
  /** Why its contents are unknown. Times and inode at least show whether the file was touched. */
  readonly unread?: Unread;
  readonly identity?: { readonly ctime: number; readonly inode: number };
  /** Why its contents were read but not kept. */
  readonly unkept?: "keep-budget";
  /** Why some or all names in a directory are missing from the entries. */
  readonly unlisted?: Unlisted;
}

/** The last line of a manifest. Without it, the snapshot did not finish. */
export interface ManifestEnd {
  readonly entries: number;
  readonly types: Readonly<Partial<Record<EntryType, number>>>;
  /** Bytes read. */
  readonly bytes: number;
  /** How many entries have this field. */
  readonly unread: number;
  readonly unkept: number;
  readonly unlisted: number;
  readonly changing: number;
  /** How many entries our own rules left out. */
  readonly ignored: number;
  /** Why some or all names in the root are missing from the entries; `lost`: the walk could not find its way back. */
  readonly root?: Unlisted | "lost";
  /** The first entries that are unread, unkept or unlisted, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** SHA-256 over the fields before `mtime` of every entry: equal trees have equal digests. */
  readonly digest: string;
}

/** A snapshot on disk: JSON lines, read as a stream. */
export interface Manifest {
  readonly path: string;
  readonly rootMode: string;
  /** The rules that were applied. */
  readonly ignore: readonly string[];
  readonly end: ManifestEnd;
}

export const MANIFEST_VERSION = 1;
