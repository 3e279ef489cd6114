import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { own, writeFile } from "../sink/index.ts";
import type { LimitName, ResourceLimits } from "./resource-limits.ts";

/** The place in which the kernel shows control groups. */
export interface CgroupPlace {
  readonly root: string;
  /** The text of /proc/self/cgroup. */
  readonly membership: string;
}

/** Control groups made for one run. */
export interface Cgroups {
  /** The limits they enforce, and the version that does. */
  readonly by: ReadonlyMap<LimitName, "cgroup v1" | "cgroup v2">;
  /** The directories that a process joins by writing to their `cgroup.procs`. */
  readonly directories: readonly string[];
  /** How many processes the kernel killed for lack of memory. */
  outOfMemory(): number;
  /** Removes them, once no process is left in them. */
  remove(): void;
}

const CONTROLLERS = { memory: "memory", processes: "pids" } as const;
const NAME = /^harness-(\d+)-[0-9a-f]+$/;

export function thisMachine(): CgroupPlace {
  return { root: "/sys/fs/cgroup", membership: readOr("/proc/self/cgroup") };
}

/**
 * Makes control groups for the limits that they can enforce here. Only in a root group: a group below it has another manager (systemd, a
 * container engine), and groups with two managers are not supported (https://systemd.io/CGROUP_DELEGATION, "single-writer rule").
 */
export function makeCgroups(limits: ResourceLimits, { root, membership }: CgroupPlace): Cgroups {
  const by = new Map<LimitName, "cgroup v1" | "cgroup v2">();
  const made = new Map<string, string>();
  const name = `harness-${process.pid}-${randomBytes(6).toString("hex")}`;
  for (const limit of ["memory", "processes"] as const) {
    const amount = limits[limit];
    const parent = amount === undefined ? undefined : parentOf(CONTROLLERS[limit], root, membership);
    if (amount === undefined || parent === undefined) continue;
    const directory = join(parent.path, name);
    try {
      if (!made.has(parent.path)) {
        removeAbandoned(parent.path);
        mkdirSync(directory);
        made.set(parent.path, directory);
      }
      for (const [file, text] of settings(limit, amount, parent.version)) writeFile(join(directory, file), own`${text}`);
      by.set(limit, parent.version);
    } catch {
      // Not ours to use: the next mechanism is tried.
    }
  }
  const directories = [...made.values()];
  return {
    by,
    directories,
    outOfMemory: () => directories.reduce((sum, directory) => sum + killsIn(directory), 0),
    remove: () => directories.forEach(removed),
  };
}

function parentOf(controller: string, root: string, membership: string): { path: string; version: "cgroup v1" | "cgroup v2" } | undefined {
  for (const line of membership.split("\n")) {
    const [, id, controllers, path] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (path !== "/") continue;
    if (id !== "0" && controllers?.split(",").includes(controller)) {
      const place = join(root, controllers);
      if (isWritable(place)) return { path: place, version: "cgroup v1" };
    }
    if (id === "0" && readOr(join(root, "cgroup.subtree_control")).split(/\s+/).includes(controller) && isWritable(root))
      return { path: root, version: "cgroup v2" };
  }
  return undefined;
}

/** The optional file for swap does not exist on every kernel. */
function settings(
  limit: "memory" | "processes",
  amount: number,
  version: "cgroup v1" | "cgroup v2",
): readonly (readonly [string, number])[] {
  if (limit === "processes") return [["pids.max", amount]];
  return version === "cgroup v2" ? [["memory.max", amount]] : [["memory.limit_in_bytes", amount]];
}

/** How many processes the kernel killed in the group of a process. */
export function killsAround(pid: number, root = "/sys/fs/cgroup"): number {
  const lines = readOr(`/proc/${pid}/cgroup`).split("\n");
  const places = lines.flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    return path === undefined
      ? []
      : controllers === ""
        ? [join(root, path)]
        : controllers?.includes("memory")
          ? [join(root, "memory", path)]
          : [];
  });
  return Math.max(0, ...places.map(killsIn));
}

function killsIn(directory: string): number {
  const text = readOr(join(directory, "memory.events")) || readOr(join(directory, "memory.oom_control"));
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** A harness that was killed could not remove its groups. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) removed(join(parent, name));
  }
}

function removed(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // A process in it has not been reaped yet. A later run removes it.
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
