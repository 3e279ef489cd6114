// Processes that an agent left behind: whatever still works in a sandbox when its run is over. Linux only, elsewhere none is seen.
import { readlinkSync } from "node:fs";
import { processFile, processIds } from "../../host/process/index.ts";

/** Ends them, by id, and says what they were. */
export function leftovers(folder: string): readonly string[] {
  return processIds()
    .filter((pid) => isIn(pid, folder))
    .map((pid) => {
      const command = processFile(pid, "cmdline").toString().replaceAll("\0", " ").trim();
      process.kill(pid, "SIGKILL");
      return `left behind: ${command || pid}`;
    });
}

function isIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false; // ended, or not ours
  }
}
