import { closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openAppendFile, openToRead } from "../../files/index.ts";
import { neededVerbatim, own } from "../../sink/index.ts";
import type { DataDirectory } from "./data-directory.ts";

/** In the data directory: the ids of its runs, in the order in which they were created. Ids and clocks may be wrong about that. */
const NAME = "order";

/** Adds a run that is about to exist. Each line begins and ends with a newline, so half a line spoils no other. */
export function addToOrder({ root }: Pick<DataDirectory, "root">, id: string): void {
  const file = openAppendFile(join(root, NAME));
  try {
    file.append(own`\n${neededVerbatim(id)}\n`);
  } finally {
    file.close();
  }
}

/** The position of each run in the order of creation. A run of an earlier version, or from elsewhere, has none. */
export function readOrder({ root }: DataDirectory): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  try {
    const fd = openToRead(join(root, NAME));
    if (fd === undefined) return order;
    try {
      for (const [place, id] of readFileSync(fd, "latin1").split("\n").entries()) order.set(id, place);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Unreadable: their ids say when they started.
  }
  return order;
}
