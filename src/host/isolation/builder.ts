import { existsSync } from "node:fs";
import { bubblewrapArgs, type Mount, type Walls } from "../../pure/isolation/index.ts";
import { type Launch, type Launched, launchWalled, runProgram } from "../process/index.ts";
import { filtered } from "./filtered.ts";
import { fileMounts, type Seen } from "./mounts.ts";
import { PATIENCE_MS, ran, type Said } from "./probe.ts";
import { bubblewrap } from "./tools.ts";

/** A program of this machine that builds walls. */
export interface Builder {
  readonly tool: { readonly tool: string; readonly version: string; readonly image?: string };
  /** The path of Node inside. Undefined: as outside. */
  readonly node?: string;
  /** Everything that is seen inside. */
  mounts(seen: Seen): readonly Mount[];
  /** Runs a command inside, to try the walls. */
  probe(command: readonly string[], program: Pick<Launch, "cwd" | "env">, mounts: readonly Mount[]): Promise<Said>;
  /** `bridge` turns the program's command into one that opens its way out first. */
  launch(program: Launch, mounts: readonly Mount[], bridge?: (command: readonly string[]) => readonly string[]): Promise<Launched>;
}

const EVERYTHING: readonly Mount[] = [{ kind: "everything" }, { kind: "processes", path: "/proc" }];

/** Throws a sentence with the remedy if this machine cannot do it. */
export function bubblewrapBuilder(level: Exclude<Walls["level"], "container">, path: string | undefined, place: () => string): Builder {
  const { path: program, version } = bubblewrap(path);
  const isRoot = process.getuid?.() === 0;
  const first = (cwd: string, mounts: readonly Mount[]) => {
    const args = bubblewrapArgs({ level, mounts, network: level !== "sealed", cwd, isRoot });
    return level === "process" ? [program, ...args] : filtered(place(), program, args);
  };
  return {
    tool: { tool: "bubblewrap", version },
    mounts: (seen) => (level === "process" ? EVERYTHING : fileMounts(seen)),
    probe: (command, { cwd, env }, mounts) => ran([...first(cwd, mounts), ...command], outside(cwd), env),
    launch(launch, mounts, bridge = (command) => command) {
      const before = first(launch.cwd, mounts);
      return launchWalled(launch, { cwd: outside(launch.cwd), wrap: (command) => [...before, ...bridge(command)] });
    },
  };
}

/** A workspace may be a different directory inside, and there may be none with its path outside. */
export function outside(cwd: string): string {
  return existsSync(cwd) ? cwd : "/";
}

/** For a builder whose walls outlive the program that builds them: the probe is a launched program, too. */
export function probedBy(
  launch: (program: Launch) => Promise<Launched>,
): (command: readonly string[], program: Pick<Launch, "cwd" | "env">) => Promise<Said> {
  return ([binary = "", ...args], { cwd, env }) =>
    runProgram({ binary, args, cwd, env, timeoutMs: PATIENCE_MS, launcher: { id: "probe", launch } });
}
