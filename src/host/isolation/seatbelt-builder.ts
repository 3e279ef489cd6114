import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";
import { type Mount, seatbeltProfile } from "../../pure/isolation/index.ts";
import { localLauncher } from "../process/index.ts";
import { type Builder, probedBy } from "./builder.ts";
import { isBelow, runMounts } from "./mounts.ts";

const SANDBOX = "/usr/bin/sandbox-exec";

/** The directories of programs and libraries on macOS. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/System",
  "/Library",
  "/opt",
  "/Applications",
  "/private/etc",
  "/private/var/db",
  "/private/var/select",
];
const LINKS: readonly Mount[] = ["/etc", "/tmp", "/var"].map((path) => ({ kind: "link", path, to: `private${path}` }));

/**
 * Walls of macOS by `sandbox-exec`, at the level `files` only: there is no namespace of processes, and none of the network. No Mac has run
 * this yet; the tests run it with a stand-in for `sandbox-exec`.
 */
export function seatbeltBuilder(level: string, sandbox: string = SANDBOX): Builder {
  if (level !== "files") throw unavailable(`The level ${level} is not available on macOS`);
  if (!existsSync(sandbox)) throw unavailable(`${sandbox} was not found`);
  const version = spawnSync("/usr/bin/sw_vers", ["-productVersion"], { encoding: "utf8" }).stdout?.trim() || "unknown";
  const builder: Builder = {
    tool: { tool: "sandbox-exec", version },
    mounts: (seen) => [
      ...SYSTEM.map((path): Mount => ({ kind: "read", path })),
      ...LINKS,
      { kind: "devices", path: "/dev" },
      ...runMounts(seen).map(resolved),
    ],
    probe: (command, program, mounts) => probedBy((launch) => builder.launch(launch, mounts))(command, program),
    launch(program, mounts) {
      const moved = mounts.flatMap((mount) =>
        mount.kind === "write" && mount.from !== undefined ? [{ path: mount.path, from: mount.from }] : [],
      );
      linkSessions(mounts, moved);
      const profile = seatbeltProfile({ mounts, network: true });
      const before = [...(program.before ?? []), sandbox, "-p", profile];
      return localLauncher.launch({ ...program, env: pointed(program.env, moved), before });
    },
  };
  return builder;
}

interface Moved {
  readonly path: string;
  readonly from: string;
}

/** Seatbelt compares real paths: `/tmp` and `/var` are links on macOS. */
function resolved(mount: Mount): Mount {
  if (mount.kind !== "read" && mount.kind !== "write") return mount;
  const real = (path: string) => (existsSync(path) ? realpathSync(path) : path);
  return mount.from === undefined ? { ...mount, path: real(mount.path) } : { ...mount, from: real(mount.from) };
}

/** Seatbelt shows a file only at its own path, so a variable that names a private directory names the real one. */
function pointed(env: NodeJS.ProcessEnv, moved: readonly Moved[]): NodeJS.ProcessEnv {
  const at = new Map(moved.map(({ path, from }) => [path, from]));
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value === undefined ? value : (at.get(value) ?? value)]));
}

/** What lies below a private directory, but is the user's own: sessions. */
function linkSessions(mounts: readonly Mount[], moved: readonly Moved[]): void {
  for (const mount of mounts) {
    if (mount.kind !== "write" || mount.from !== undefined) continue;
    for (const { path, from } of moved) {
      if (!isBelow(mount.path, path)) continue;
      const link = join(from, mount.path.slice(path.length));
      mkdirSync(dirname(link), { recursive: true, mode: 0o700 });
      if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(mount.path, link);
    }
  }
}

function unavailable(why: string): HarnessError {
  return new HarnessError("start", `${why}. Choose a different level.`, { option: "isolate" });
}
