import { closeSync, constants, existsSync, fsyncSync, lstatSync, openSync } from "node:fs";
import { join, resolve } from "node:path";
import { codeOf } from "../../pure/base/index.ts";
import { syncDescriptor } from "./sync-paths.ts";

/** A directory held by a descriptor: operations stay inside it even if its name later leads elsewhere. */
export interface HeldDirectory {
  /** The path of an entry, through the descriptor if the system allows it. That path is short, too. */
  path(name: string): string;
  /** Returns when the directory's names survive a power cut. */
  sync(): void;
  /** Like `sync`, without blocking the event loop. */
  synced(): Promise<void>;
  close(): void;
}

/** Follows a link in place of the directory only with `mayBeLink`. */
export function holdDirectory(directory: string, { mayBeLink = false }: { readonly mayBeLink?: boolean } = {}): HeldDirectory {
  const path = resolve(directory); // a trailing slash would follow a link
  const fd = opened(path, mayBeLink);
  const short = `/proc/self/fd/${fd}`;
  const base = process.platform === "linux" && existsSync(short) ? short : path;
  return {
    path: (name) => join(base, name),
    sync() {
      try {
        fsyncSync(fd);
      } catch (error) {
        // Some file systems keep names safe without a sync and reject the call.
        if (!["EINVAL", "ENOTSUP", "EOPNOTSUPP"].includes(codeOf(error))) throw error;
      }
    },
    synced: () => syncDescriptor(fd),
    close: () => closeSync(fd),
  };
}

function opened(path: string, mayBeLink: boolean): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | (mayBeLink ? 0 : constants.O_NOFOLLOW));
  } catch (error) {
    const isLink = !mayBeLink && codeOf(error) === "ENOTDIR" && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    throw isLink ? Object.assign(new Error("a symbolic link", { cause: error }), { code: "ELOOP" }) : error;
  }
}
