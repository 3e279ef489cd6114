import type { EntryType, Unlisted } from "./names-in.ts";
import type { Unread } from "./read-regular.ts";

/** One thing in a workspace, as it was found. What is not there was not known, or is nothing such a thing has. */
export interface Entry {
  /** From the workspace's root, with `/`. A byte that is not UTF-8 is a lone surrogate, U+DC80 to U+DCFF. */
  readonly path: string;
  readonly type: EntryType;
  /** Permissions, as four octal digits. */
  readonly mode?: string;
  readonly size?: number;
  readonly sha256?: string;
  /** The text of a link, as it is. */
  readonly link?: string;
  /** Milliseconds since 1970. What comes before it is the file itself, and makes the digest. */
  readonly mtime?: number;
  /** How many names the file has, where it is more than one: some may be outside. */
  readonly names?: number;
  /** It changed while it was read: no state it ever had may have these contents. */
  readonly changing?: true;
  /** Why its contents are not known; times and inode say at least whether somebody touched it. */
  readonly unread?: Unread;
  readonly identity?: { readonly ctime: number; readonly inode: number };
  /** Why its contents, though read, are not kept. */
  readonly unkept?: "keep-budget";
  /** Why the names in a directory are not, or not all, among the entries. */
  readonly unlisted?: Unlisted;
}

/** The last line of a manifest: without it, the snapshot did not finish. */
export interface ManifestEnd {
  readonly entries: number;
  readonly types: Readonly<Partial<Record<EntryType, number>>>;
  /** Bytes read. */
  readonly bytes: number;
  /** How many entries say so of themselves. */
  readonly unread: number;
  readonly unkept: number;
  readonly unlisted: number;
  readonly changing: number;
  /** How many entries our own rules left out. */
  readonly ignored: number;
  /** Why the names in the root are not, or not all, among the entries; `lost`: the walk could not find its way back. */
  readonly root?: Unlisted | "lost";
  /** The first entries that are unread, unkept or unlisted, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** SHA-256 over what every entry says before `mtime`: equal trees have equal digests. */
  readonly digest: string;
}

/** A snapshot on the disk: JSON lines, read as a stream. */
export interface Manifest {
  readonly path: string;
  readonly rootMode: string;
  /** Our own rules that were applied. */
  readonly ignore: readonly string[];
  readonly end: ManifestEnd;
}

export const MANIFEST_VERSION = 1;
