import { readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { COOKIE } from "./guardian.ts";
import { descriptorsOf, isYoung, processFile, processIds, processName, processStat } from "./process-files.ts";

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

/**
 * The names of orphans that started after this uptime in another session, and work in a directory or hold a file below it open: a daemon
 * that a run left looks like this. Leaves out processes with a terminal, and those of other runs.
 */
export function orphansIn(directory: string, since: number): readonly string[] {
  const session = processStat("self")[3];
  const isOrphan = (pid: number) => {
    const [, parent, , its] = processStat(pid);
    return its !== session && (parent === "1" || processFile(Number(parent), "cmdline").includes("systemd"));
  };
  return processIds()
    .filter((pid) => isYoung(pid, since) && isOrphan(pid) && !hasTerminal(pid) && !isOfRun(pid) && isIn(pid, directory))
    .map(processName);
}

function isOfRun(pid: number): boolean {
  return (["environ", "cmdline"] as const).some((file) => processFile(pid, file).includes(`${COOKIE}=`));
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
