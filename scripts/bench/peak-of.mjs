import { readFileSync } from "node:fs";

/** This process's peak resident memory in bytes. On Linux, `ru_maxrss` is inherited over fork and exec, so /proc comes first. */
export function peakOf() {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
