import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { TraceGap } from "../../../../pure/events/index.ts";
import type { TracedRun } from "../../command-watch.ts";

/** A gap for files of the workspace that have more names than the workspace shows: writing them may have changed a file outside. */
export function sharedFiles({ workspace, shared }: Pick<TracedRun, "workspace" | "shared">): readonly TraceGap[] {
  const objects = new Map<string, { readonly path: string; left: bigint }>();
  for (const path of shared) {
    const { key, names } = objectAt(join(workspace, path));
    const known = objects.get(key);
    if (known === undefined) objects.set(key, { path, left: names - 1n });
    else known.left--;
  }
  const [first, ...rest] = [...objects.values()].filter(({ left }) => left > 0n);
  return first === undefined ? [] : [{ reason: "shared-file", count: rest.length + 1, example: first.path }];
}

/** A file by its device and inode. One that cannot be read may have any number of names. */
function objectAt(path: string): { readonly key: string; readonly names: bigint } {
  try {
    const { dev, ino, nlink } = lstatSync(path, { bigint: true });
    return { key: `${dev}:${ino}`, names: nlink };
  } catch {
    return { key: path, names: 2n };
  }
}
