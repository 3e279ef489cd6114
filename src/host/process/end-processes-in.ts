import { readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { processIds, processStat } from "./process-files.ts";
import { descriptorsOf, processName } from "./writers-of.ts";

const ROUNDS = 50;
const PAUSE_MS = 20;

/**
 * Kills every process that works in a directory or holds a file below it open, until none is left: one that cleared its environment and
 * took its own session cannot be found otherwise. Returns their names. Finds none without /proc, and none that let go of the directory.
 * Spares processes with a terminal: a user may be looking at the directory, and an agent that we started has none.
 */
export async function endProcessesIn(directory: string): Promise<readonly string[]> {
  const ended = new Map<number, string>();
  for (let round = 0; round < ROUNDS; round++) {
    const found = processIds().filter((pid) => pid !== process.pid && !hasTerminal(pid) && isIn(pid, directory));
    if (found.length === 0) break;
    for (const pid of found) {
      ended.set(pid, ended.get(pid) ?? processName(pid));
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It is gone, or it is not ours.
      }
    }
    await pause(PAUSE_MS);
  }
  return [...ended.values()];
}

function hasTerminal(pid: number): boolean {
  return (processStat(pid)[4] ?? "0") !== "0";
}

function isIn(pid: number, directory: string): boolean {
  const links = ["cwd", "root", "exe", ...descriptorsOf(pid).map((fd) => `fd/${fd}`)];
  return links.some((link) => {
    const place = placeOf(`/proc/${pid}/${link}`);
    return place === directory || place.startsWith(`${directory}/`);
  });
}

function placeOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}
