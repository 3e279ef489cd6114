import { bytes, duration, HarnessError } from "../../pure/base/index.ts";
import { type Exceeded, type Launch, type LaunchExit, type Launched, type Launcher, localLauncher } from "../process/index.ts";
import { type CgroupPlace, type Cgroups, killsAround, makeCgroups, thisMachine } from "./cgroups.ts";
import type { LimitName, ResourceLimits } from "./resource-limits.ts";
import { findScope, type Scopes } from "./systemd-scope.ts";
import { sizeOf, usageOf } from "./usage-of.ts";

/** `container`: Docker or Podman. `watch`: harness looks at intervals, and ends the run. `rlimit`: the kernel's limit of each process. */
export type Mechanism = "container" | "cgroup v1" | "cgroup v2" | "systemd" | "rlimit" | "watch";

export interface LimitHost {
  readonly cgroups: CgroupPlace;
  readonly scopes: Scopes | undefined;
  /** Whether /proc shows what processes use. */
  readonly canWatch: boolean;
}

const EVERY_MS = 100;
const WORKSPACE_EVERY_MS = 1000;

/** The name of the guardian, so that a program that cannot be started is reported in the same way. */
const NAME = "harness-guard";

/** $1: blocks of 512 bytes, $2: seconds, $3: the control groups to join. Becomes the program. */
const BECOME = `[ -z "$1" ] || ulimit -f "$1" || exit 126
[ -z "$2" ] || ulimit -t "$2" || exit 126
for place in $3; do echo 0 >"$place/cgroup.procs" || exit 126; done
shift 3
exec "$@"`;

/** Starts programs that may use only so much. A program that takes more is ended, and its end says why. */
export function limitedLauncher(limits: ResourceLimits, inner: Launcher = localLauncher, host: () => LimitHost = thisHost): Launcher {
  return {
    ...inner,
    id: inner.id === "local" ? "limited" : inner.id,
    async launch(program) {
      const { cgroups, scopes, canWatch } = host();
      const groups = makeCgroups(inner.enforces === undefined ? limits : {}, cgroups);
      try {
        const by = mechanisms(limits, groups, scopes, canWatch, inner.enforces);
        const isScoped = [...by.values()].includes("systemd");
        const scope = isScoped ? scopes?.open(limits) : undefined;
        const limited =
          inner.enforces === undefined ? started(program, limits, groups.directories, scope?.command ?? []) : { ...program, limits };
        const running = await inner.launch(limited);
        const leader = () => (inner.enforces === undefined ? undefined : running.leader?.());
        const around = () => {
          const pid = limits.memory === undefined ? undefined : leader();
          return pid === undefined ? 0 : killsAround(pid);
        };
        return watched(
          { ...running, leader },
          { limits, by, workspace: program.cwd, outOfMemory: () => groups.outOfMemory() + (scope?.outOfMemory() ?? 0) + around() },
          () => {
            groups.remove();
            scope?.close();
          },
        );
      } catch (error) {
        groups.remove();
        throw error;
      }
    },
    async probe(program) {
      const about = await inner.probe?.(program);
      const { cgroups, scopes, canWatch } = host();
      const groups = makeCgroups(inner.enforces === undefined ? limits : {}, cgroups);
      try {
        const by = mechanisms(limits, groups, scopes, canWatch, inner.enforces);
        const shown = [...by].map(([name, mechanism]) => [name, { limit: limits[name], by: mechanism }] as const);
        return { ...about, limits: Object.fromEntries(shown) };
      } finally {
        groups.remove();
      }
    },
  };
}

function thisHost(): LimitHost {
  return { cgroups: thisMachine(), scopes: findScope(process.env), canWatch: process.platform === "linux" };
}

/** What enforces each limit. Throws if nothing can: a limit that was asked for is never dropped. */
function mechanisms(
  limits: ResourceLimits,
  { by }: Cgroups,
  scopes: Scopes | undefined,
  canWatch: boolean,
  enforces: readonly string[] = [],
): ReadonlyMap<LimitName, Mechanism> {
  const found = new Map<LimitName, Mechanism>();
  for (const name of Object.keys(limits) as LimitName[]) {
    if (limits[name] === undefined) continue;
    if (enforces.includes(name)) {
      found.set(name, "container");
      continue;
    }
    const group = by.get(name) ?? (scopes !== undefined && (name === "memory" || name === "processes") ? "systemd" : undefined);
    const mechanism = name === "file" ? "rlimit" : (group ?? (canWatch || name === "workspace" ? "watch" : undefined));
    if (mechanism === undefined)
      throw new HarnessError("start", `The limit on ${WORDS[name]} cannot be enforced on this system. Leave it out, or run on Linux.`, {
        option: "resourceLimits",
      });
    found.set(name, mechanism);
  }
  return found;
}

const WORDS: Readonly<Record<LimitName, string>> = {
  memory: "memory",
  processes: "processes",
  file: "the size of a file",
  workspace: "the size of the workspace",
  cpu: "processor time",
};

function started(program: Launch, { file, cpu }: ResourceLimits, groups: readonly string[], scope: readonly string[]): Launch {
  const blocks = file === undefined ? "" : String(Math.ceil(file / 512));
  const seconds = cpu === undefined ? "" : String(Math.ceil(cpu / 1000));
  const before = [...scope, "/bin/sh", "-c", BECOME, NAME, blocks, seconds, groups.join(" ")];
  return { ...program, before: [...(program.before ?? []), ...before] };
}

interface Watching {
  readonly limits: ResourceLimits;
  readonly by: ReadonlyMap<LimitName, Mechanism>;
  readonly workspace: string;
  readonly outOfMemory: () => number;
}

function watched(running: Launched, { limits, by, workspace, outOfMemory }: Watching, close: () => void): Launched {
  let exceeded: Exceeded | undefined;
  let ended: LaunchExit | undefined;
  let next = 0;
  const isWatched = (name: LimitName) => by.get(name) === "watch";

  function over(limit: LimitName, used: number): void {
    const most = limits[limit];
    if (exceeded !== undefined || most === undefined || used <= most) return;
    exceeded = { limit, message: `The agent was ended: it used more than its limit on ${WORDS[limit]}, ${shown(limit, most)}.` };
    void running.finish();
  }

  function look(): void {
    if (isWatched("memory") || isWatched("processes") || isWatched("cpu")) {
      const used = usageOf(running.leader?.() ?? running.pid);
      for (const name of ["memory", "processes", "cpu"] as const) if (isWatched(name)) over(name, used[name]);
    }
    const now = performance.now();
    if (limits.workspace === undefined || now < next) return;
    over("workspace", sizeOf(workspace, limits.workspace));
    const took = performance.now() - now;
    next = now + Math.max(WORKSPACE_EVERY_MS, 20 * took); // a large tree takes at most a twentieth of the time
  }

  const looking = [...by.values()].includes("watch") ? setInterval(look, EVERY_MS).unref() : undefined;
  void running.exited.then((exit) => {
    clearInterval(looking);
    ended = exit;
    if (limits.workspace !== undefined && exceeded === undefined) {
      next = 0;
      look();
    }
  });
  let kills = 0;
  return {
    ...running,
    async finish() {
      const left = await running.finish();
      clearInterval(looking);
      kills = Math.max(kills, outOfMemory());
      close();
      return left;
    },
    exceeded() {
      if (exceeded !== undefined) return exceeded;
      kills = Math.max(kills, outOfMemory());
      if (kills === 0) return undefined;
      const isItself = ended?.signal === "SIGKILL" || ended?.exitCode === 137;
      const who = isItself ? "The agent" : "A process of the agent";
      const limit = limits.memory === undefined ? "" : `, ${shown("memory", limits.memory)}`;
      return { limit: isItself ? "memory" : undefined, message: `${who} was ended: it ran out of memory (limit${limit}).` };
    },
  };
}

function shown(limit: LimitName, amount: number): string {
  return limit === "processes" ? String(amount) : limit === "cpu" ? duration(amount) : bytes(amount);
}
