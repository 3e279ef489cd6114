import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { errorWords } from "../../pure/base/index.ts";
import { bubblewrapArgs, cleanGitConfig, type Mount } from "../../pure/isolation/index.ts";
import { installed, type Launch, type Launcher, launchWalled, localLauncher } from "../process/index.ts";
import { forProgram, writeFile } from "../sink/index.ts";
import { filtered } from "./filtered.ts";
import { isBelow } from "./mounts.ts";
import { makePlace, removePlace } from "./place.ts";
import { bubblewrap, type Tool } from "./tools.ts";

/** The walls of graders. They read the whole machine except what is hidden, and write only to the workspace. */
export interface GraderWalls {
  readonly launcher: Launcher;
  /** Undefined, or why there are none. */
  readonly missing?: string;
  close(): void;
}

export interface GraderSight {
  /** The throw-away copy of the workspace that they may change. */
  readonly workspace: string | undefined;
  /** Recordings, other trials, the data set, results: not there. */
  readonly hidden: readonly string[];
  /** What must be seen although it lies in a hidden directory or in that for temporary files. */
  readonly readable: readonly string[];
}

/** Logins in the home directory that a program of the workspace could use. */
const LOGINS = [".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gcloud", ".config/gh"];

/** $1: an empty directory, $2: the home. Covers the home with a layer that takes all changes, then becomes the rest. */
const LAYER = `place=$1 home=$2; shift 2
mount --types tmpfs --options mode=0700 tmpfs "$place" && mkdir "$place/up" "$place/work" "$place/home" || exit 125
layer="lowerdir=$home,upperdir=$place/up,workdir=$place/work"
mount --types overlay --options "$layer" overlay "$place/home" 2>/dev/null || mount --types overlay --options "userxattr,$layer" overlay "$place/home" || exit 125
exec "$@"`;

/** Never throws: without walls, graders still get a clean environment, and the result says so. */
export function graderWalls(sight: GraderSight, path: string | undefined = process.env["PATH"]): GraderWalls {
  let tool: Tool;
  try {
    tool = bubblewrap(path);
  } catch (error) {
    return { launcher: localLauncher, missing: errorWords(error), close: () => {} };
  }
  const place = makePlace();
  const home = existing(homedir());
  const layer = home === undefined ? undefined : layerOf(path, home);
  for (const name of ["layer", "home"]) mkdirSync(join(place, name), { mode: 0o700 });
  const git = sight.workspace === undefined ? [] : gitMounts(sight.workspace, place);
  return {
    launcher: {
      id: localLauncher.id,
      launch(program) {
        const layered = join(place, "layer");
        const own: Mount =
          layer === undefined
            ? { kind: "write", path: join(place, "home") }
            : { kind: "write", path: home ?? "/", from: join(layered, "home") };
        const mounts = mountsFor(sight, program, home, [own], git);
        const walls = [...(layer?.user ?? []), ...bubblewrapArgs({ level: "files", mounts, network: true, cwd: program.cwd })];
        const before = layer === undefined || home === undefined ? [] : [...layer.command, layered, home];
        const env = { ...program.env, TMPDIR: "/tmp", ...(layer === undefined && { HOME: join(place, "home") }) };
        return launchWalled({ ...program, env }, { wrap: (command) => [...before, ...filtered(place, tool.path, walls), ...command] });
      },
    },
    close: () => removePlace(place),
  };
}

function mountsFor(
  sight: GraderSight,
  { cwd, binary }: Launch,
  home: string | undefined,
  own: readonly Mount[],
  git: readonly Mount[],
): readonly Mount[] {
  const { workspace, hidden, readable } = sight;
  const temporary = [...new Set(["/tmp", realpathSync(tmpdir())])];
  const isFolder = (path: string) => lstatSync(path).isDirectory();
  const secrets = hidden.flatMap((path) => existing(path) ?? []);
  const needed = [...new Set([cwd, binary, process.execPath, ...readable].flatMap((path) => existing(path) ?? []))].sort();
  const isIn = (folders: readonly string[]) => (path: string) => folders.some((folder) => path === folder || isBelow(path, folder));
  const covering = (folders: readonly string[]): readonly Mount[] => [
    ...folders.map((path): Mount => ({ kind: "empty", path })),
    ...needed.filter((path) => isIn(folders)(path) && !folders.includes(path)).map((path): Mount => ({ kind: "read", path })),
  ];
  const logins =
    home === undefined
      ? []
      : LOGINS.map((name) => join(home, name)).filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
  const homes = [...own, ...logins.map((path): Mount => ({ kind: "empty", path }))];
  const isTemporary = home === undefined || isIn(temporary)(home);
  return [
    { kind: "read", path: "/" },
    { kind: "devices", path: "/dev" },
    { kind: "processes", path: "/proc" },
    ...(isTemporary ? [] : homes),
    ...covering(temporary),
    ...(isTemporary ? homes : []),
    ...covering(secrets.filter(isFolder)),
    ...secrets.filter((path) => !isFolder(path)).map((path): Mount => ({ kind: "read", path, from: "/dev/null" })),
    ...(workspace === undefined ? [] : [{ kind: "write", path: realpathSync(workspace) } as const]),
    ...git,
  ];
}

interface Layer {
  /** Up to the two directories. */
  readonly command: readonly string[];
  /** Arguments for the program that builds the walls: the user it shows. */
  readonly user: readonly string[];
}

const layers = new Map<string, Layer | undefined>();

/** How this machine can cover a directory with a throw-away layer; undefined if it cannot. */
function layerOf(path: string | undefined, home: string): Layer | undefined {
  const tool = installed(["unshare"], path);
  if (tool === undefined) return undefined;
  if (!layers.has(tool)) layers.set(tool, triedLayer(tool, home));
  return layers.get(tool);
}

function triedLayer(tool: string, home: string): Layer | undefined {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const command = [tool, ...(uid === 0 ? [] : ["--user", "--map-root-user"]), "--mount", "/bin/sh", "-c", LAYER, "harness-layer"];
  const place = makePlace();
  const { status } = spawnSync(command[0] ?? "", [...command.slice(1), place, home, "true"], { timeout: 10_000, stdio: "ignore" });
  removePlace(place);
  const user = uid === 0 ? [] : ["--unshare-user", "--uid", String(uid), "--gid", String(gid)];
  return status === 0 ? { command, user } : undefined;
}

/** What git must not take from the agent: settings that run programs. Its hooks are turned off by variables. */
function gitMounts(workspace: string, place: string): readonly Mount[] {
  const folder = gitFolder(realpathSync(workspace));
  if (folder === undefined) return [];
  const isFile = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const config = join(folder, "config");
  const clean = join(place, "git-config");
  if (isFile(config)) writeFile(clean, forProgram(cleanGitConfig(readFileSync(config, "utf8"))), { mode: 0o600 });
  return [
    ...(isFile(config) ? [{ kind: "read", path: config, from: clean } as const] : []),
    ...[join(folder, "config.worktree"), join(folder, "info/attributes")]
      .filter(isFile)
      .map((path): Mount => ({ kind: "read", path, from: "/dev/null" })),
  ];
}

/** The repository of a workspace, if it lies inside. */
function gitFolder(workspace: string): string | undefined {
  const entry = join(workspace, ".git");
  const stats = lstatSync(entry, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return entry;
  if (stats?.isFile() !== true) return undefined;
  const named = /^gitdir: (.+)$/m.exec(readFileSync(entry, "utf8"))?.[1]?.trim();
  const folder = named === undefined ? undefined : existing(resolve(workspace, named));
  return folder !== undefined && isBelow(folder, workspace) ? folder : undefined;
}

function existing(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined;
}
