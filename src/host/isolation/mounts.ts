import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync, statSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Mount } from "../../pure/isolation/index.ts";

/** The directories of programs and libraries. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/snap", "/etc"];

/** Settings of the machine that are secrets. */
const HIDDEN = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssh",
  "/etc/ssl/private",
];

/** Directories that exist, and are empty. */
const EMPTY = ["/run", "/var", "/var/tmp", "/home", "/root", "/mnt", "/srv"];

/** What programs need of the empty directories: the addresses of name servers, and the programs of NixOS. */
const NEEDED = ["/etc/resolv.conf", "/run/current-system"];

export interface Seen {
  /** The paths of the workspace: writable, at the same path as outside. */
  readonly workspaces: readonly string[];
  /** The directory that is seen as the workspace, if it is not the one with that path outside. */
  readonly workspaceFrom?: string | undefined;
  /** Programs that must be found, by path. */
  readonly programs: readonly string[];
  /** The private directories, by the path at which they appear. */
  readonly instead: readonly Mount[];
  /** Files and directories that the run needs: sockets, wrappers, credentials. */
  readonly more: readonly Mount[];
  /** What must not be seen although it lies in the workspace. */
  readonly hidden: readonly string[];
}

/** A mount tree built from nothing: what is not listed is not there. */
export function fileMounts(seen: Seen): readonly Mount[] {
  return [
    ...SYSTEM.flatMap(systemMount),
    ...HIDDEN.flatMap(hiddenMount),
    { kind: "devices", path: "/dev" },
    { kind: "processes", path: "/proc" },
    ...EMPTY.map((path): Mount => ({ kind: "empty", path })),
    ...NEEDED.flatMap(neededMount),
    ...runMounts(seen),
  ];
}

/** What a run needs on top of a system. */
export function runMounts({ workspaces, workspaceFrom, programs, instead, more, hidden }: Seen): readonly Mount[] {
  const covered = instead.flatMap((mount) => ("path" in mount ? [mount.path] : []));
  const roots = [...new Set(programs.flatMap((program) => programRoots(program, [...covered, ...workspaces])))].sort();
  return [
    ...instead,
    ...roots.filter((path) => !isLink(path, roots)).map((path): Mount => ({ kind: "read", path })),
    ...roots.flatMap((path) => (isLink(path, roots) && !isSeen(path, roots) ? linkIn(instead, path) : [])),
    ...more.filter((mount) => !("path" in mount) || existsSync("from" in mount && mount.from !== undefined ? mount.from : mount.path)),
    ...workspaces.map((path): Mount => ({ kind: "write", path, ...(workspaceFrom !== undefined && { from: workspaceFrom }) })),
    ...(workspaceFrom === undefined ? workspaces.slice(-1).flatMap(gitMounts) : []),
    ...hidden
      .filter((path) => existsSync(path) && workspaces.some((folder) => isBelow(path, folder)))
      .map((path): Mount => ({ kind: "empty", path })),
  ];
}

function systemMount(path: string): readonly Mount[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return [stats.isSymbolicLink() ? { kind: "link", path, to: readlinkSync(path) } : { kind: "read", path }];
}

function hiddenMount(path: string): readonly Mount[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return [stats.isDirectory() ? { kind: "empty", path } : { kind: "read", path, from: "/dev/null" }];
}

function neededMount(path: string): readonly Mount[] {
  const place = existsSync(path) ? realpathSync(path) : path;
  return existsSync(place) && !isSystem(place) ? [{ kind: "read", path: place }] : [];
}

/**
 * What a program needs besides itself. A package of npm needs everything that was installed with it; an interpreter needs its prefix.
 * Nothing that would show one of the `covered` directories.
 */
function programRoots(program: string, covered: readonly string[]): readonly string[] {
  const places = [...new Set([program, ...(existsSync(program) ? [realpathSync(program)] : [])])];
  return places
    .filter((path) => existsSync(path) && !isSystem(path))
    .map((path) => {
      const packages = path.indexOf(`${sep}node_modules${sep}`);
      const prefix = dirname(dirname(path));
      const root = packages > 0 ? path.slice(0, packages + `${sep}node_modules`.length) : isPrefix(prefix) ? prefix : path;
      return covered.some((each) => each === root || isBelow(each, root)) ? path : root;
    });
}

/** A program finds what lies next to it by its real place, so a link stays a link. */
function isLink(path: string, roots: readonly string[]): boolean {
  const place = realpathSync(path);
  return place !== path && (isSystem(place) || roots.some((root) => place === root || isBelow(place, root)));
}

/** A private directory keeps the link from the probe to the agent, and bubblewrap 0.8 does not replace it: there we make it ourselves. */
function linkIn(instead: readonly Mount[], path: string): readonly Mount[] {
  const to = realpathSync(path);
  const around = instead.findLast((mount) => mount.kind === "write" && isBelow(path, mount.path));
  if (around?.kind !== "write" || around.from === undefined) return [{ kind: "link", path, to }];
  const inside = join(around.from, relative(around.path, path));
  mkdirSync(dirname(inside), { recursive: true, mode: 0o700 });
  if (lstatSync(inside, { throwIfNoEntry: false }) === undefined) symlinkSync(to, inside);
  return [];
}

function isSeen(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => root !== path && isBelow(path, root));
}

/** The prefix of a Node or Python installation. */
function isPrefix(folder: string): boolean {
  return ["include/node", "lib/node_modules", "pyvenv.cfg"].some((name) => existsSync(join(folder, name)));
}

/** A worktree or submodule has its repository elsewhere. Its hooks and settings would run outside later, so they stay unchanged. */
function gitMounts(workspace: string): readonly Mount[] {
  const own = gitDirectory(join(workspace, ".git"));
  if (own === undefined) return [];
  const shared = commonDirectory(own);
  return [...new Set([own, shared])]
    .filter((path) => !isBelow(path, workspace))
    .flatMap((path): readonly Mount[] => [
      { kind: "write", path },
      ...["hooks", "config", "config.worktree"].flatMap((name): readonly Mount[] =>
        existsSync(join(path, name)) ? [{ kind: "read", path: join(path, name) }] : [],
      ),
    ]);
}

function gitDirectory(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const named = /^gitdir: (.+)$/m.exec(readFileSync(file, "utf8"))?.[1]?.trim();
  const path = named === undefined ? undefined : resolve(dirname(file), named);
  return path !== undefined && existsSync(join(path, "HEAD")) ? path : undefined;
}

function commonDirectory(own: string): string {
  const file = join(own, "commondir");
  return existsSync(file) ? resolve(own, readFileSync(file, "utf8").trim()) : own;
}

export function isSystem(path: string): boolean {
  return SYSTEM.some((root) => path === root || isBelow(path, root));
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
