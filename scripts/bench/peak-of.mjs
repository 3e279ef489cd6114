import { readFileSync } from "node:fs";

/** The peak of this process's resident memory, in bytes. Linux hands `ru_maxrss` of the parent down over fork and exec, so its own count is asked first. */
export function peakOf() {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
