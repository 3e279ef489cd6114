// What happens to a run of the campaign while it works.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const STOPS = ["SIGTERM", "SIGINT", "SIGHUP"];

/**
 * `sent`: the signals that may end the recorder, because it was killed or had only begun.
 * @type {Record<string, { limits?: string, node?: string[], isLossy?: boolean, sent?: string[], act?: (run: object, random: () => number) => unknown }>}
 */
export const faults = {
  none: {},
  "recorder killed": { sent: ["SIGKILL"], act: (run) => kill([run.pid], "SIGKILL") },
  "recorder and all it started killed": { sent: ["SIGKILL"], act: (run) => kill([run.pid, ...below(run.pid)], "SIGKILL") },
  "all it started killed, then the recorder": { sent: ["SIGKILL"], act: (run) => kill([...below(run.pid), run.pid], "SIGKILL") },
  "helpers of the recorder killed": { act: (run) => kill(below(run.pid).filter(isOurs), "SIGKILL") },
  "agent killed": {
    act: (run) =>
      kill(
        below(run.pid).filter((pid) => !isOurs(pid)),
        "SIGKILL",
      ),
  },
  "recorder asked to stop": { sent: STOPS, act: (run, random) => kill([run.pid], STOPS[random() % STOPS.length]) },
  "recorder asked twice": {
    sent: ["SIGINT"],
    async act(run) {
      kill([run.pid], "SIGINT");
      await pause(50);
      kill([run.pid], "SIGINT");
    },
  },
  "recorder frozen": {
    async act(run, random) {
      kill([run.pid], "SIGSTOP");
      await pause(random() % 1_500);
      kill([run.pid], "SIGCONT");
    },
  },
  "reader gone": { act: (run) => run.child.stdout.destroy() },
  "files limited to 512 KiB": { limits: "ulimit -f 512", isLossy: true },
  "40 descriptors": { limits: "ulimit -n 40" },
  "24 descriptors": { limits: "ulimit -n 24" },
  "memory limited": { sent: ["SIGABRT"], node: ["--max-old-space-size=24"] },
};

/** The processes that this one started, and those they started. */
function below(pid) {
  const parents = new Map(readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [[Number(name), parentOf(name)]] : [])));
  const found = [pid];
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child);
  return found.slice(1);
}

function parentOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

/** Whether it is a process of harness, and not the agent. */
function isOurs(pid) {
  return read(`/proc/${pid}/cmdline`).includes("dist/cli");
}

export function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function kill(pids, signal) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // it has ended
    }
  }
}
