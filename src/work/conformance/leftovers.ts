// Processes that an agent left behind: whatever still works in a sandbox when its run is over. Linux only, elsewhere none is seen.
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Ends them, by id, and says what they were. */
export function leftovers(folder: string): readonly string[] {
  if (!existsSync("/proc/self/cwd")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isIn(name, folder))
    .map((pid) => {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      process.kill(Number(pid), "SIGKILL");
      return `left behind: ${command || pid}`;
    });
}

function isIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false; // ended, or not ours
  }
}
