// Finds processes that an agent left running in its sandbox. Linux only; elsewhere it finds none.
import { readlinkSync } from "node:fs";
import { processFile, processIds } from "../../host/process/index.ts";

/** Ends them by process id and names each. */
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
