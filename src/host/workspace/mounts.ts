import { readFileSync, realpathSync } from "node:fs";
import { textOf } from "./byte-path.ts";

/**
 * Paths below a directory where something else is mounted: they lead out as a link does, and a bind mount of the same file system
 * shows in no number of the directory itself. Empty where the system has no such list.
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
    // No list, no mounts that we could know of.
  }
  return found;
}
