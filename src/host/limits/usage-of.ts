import { lstatSync, opendirSync } from "node:fs";
import { join } from "node:path";
import { processFile, processIds, processStat } from "../process/index.ts";

export interface ProcessUsage {
  readonly processes: number;
  /** Bytes that no other program shares. */
  readonly memory: number;
  /** Milliseconds of processor time, with the children that have ended. */
  readonly cpu: number;
}

const PAGE = 4096;
const TICK_MS = 10;

/** What a process, its descendants and the rest of its session use now. Nothing is known without /proc. */
export function usageOf(leader: number): ProcessUsage {
  const all = new Map(processIds().map((pid) => [pid, processStat(pid)] as const));
  const members = new Set<number>();
  for (const [pid, stat] of all) if (pid === leader || Number(stat[3]) === leader) members.add(pid);
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const [pid, stat] of all) if (members.has(Number(stat[1]))) members.add(pid);
  }
  let [memory, ticks] = [0, 0];
  for (const pid of members) {
    const [, resident = 0, shared = 0] = processFile(pid, "statm").toString("latin1").split(" ").map(Number);
    memory += (resident - shared) * PAGE;
    for (const index of [11, 12, 13, 14]) ticks += Number(all.get(pid)?.[index] ?? 0);
  }
  return { processes: members.size, memory, cpu: ticks * TICK_MS };
}

/** The bytes a directory takes on disk, up to a limit: it stops counting above it. Files with several names count once. */
export function sizeOf(directory: string, limit: number): number {
  const seen = new Set<string>();
  const open = [directory];
  let size = 0;
  for (let next = open.pop(); next !== undefined && size <= limit; next = open.pop()) {
    try {
      const entries = opendirSync(next);
      try {
        for (let entry = entries.readSync(); entry !== null && size <= limit; entry = entries.readSync()) {
          const path = join(next, entry.name);
          const stats = lstatSync(path, { throwIfNoEntry: false });
          if (stats === undefined) continue;
          if (stats.nlink > 1 && !stats.isDirectory()) {
            if (seen.has(`${stats.dev}:${stats.ino}`)) continue;
            seen.add(`${stats.dev}:${stats.ino}`);
          }
          size += stats.blocks * 512;
          if (stats.isDirectory()) open.push(path);
        }
      } finally {
        entries.closeSync();
      }
    } catch {
      // The agent removed or closed it while we looked.
    }
  }
  return size;
}
