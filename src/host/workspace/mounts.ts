import { readFileSync, realpathSync } from "node:fs";
import { textOf } from "./byte-path.ts";

/**
 * The mount points below a directory. They lead out of it like links, and a bind mount of the same file system does not show in the
 * directory's device number. Empty if the system has no list of mounts.
 */
export function mountsBelow(root: string): ReadonlySet<string> {
  const found = new Set<string>();
  try {
    const prefix = `${realpathSync(root)}/`;
    for (const line of readFileSync("/proc/self/mountinfo", "latin1").split("\n")) {
      const field = line.split(" ")[4]?.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
      const point = field === undefined ? "" : textOf(Buffer.from(field, "latin1"));
      if (point.startsWith(prefix)) found.add(point.slice(prefix.length));
    }
  } catch {
    // Without a list, no mounts are known.
  }
  return found;
}
