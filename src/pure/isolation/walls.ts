import type { Level } from "./level.ts";

/** A part of the file system that an isolated program sees. Later ones cover earlier ones. */
export type Mount =
  /** `from` is the path outside, if it differs. */
  | { readonly kind: "read" | "write"; readonly path: string; readonly from?: string }
  | { readonly kind: "empty"; readonly path: string; readonly bytes?: number }
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  | { readonly kind: "devices" | "processes"; readonly path: string }
  /** The whole file system, unchanged. */
  | { readonly kind: "everything" };

/** What an isolated program can reach. */
export interface Walls {
  readonly level: Exclude<Level, "none">;
  readonly mounts: readonly Mount[];
  /** False: only its own loopback device. */
  readonly network: boolean;
  readonly cwd: string;
  /** The program inside is root, without root's capabilities. */
  readonly isRoot?: boolean;
}

/**
 * Settings of the machine in /proc, which belong to no namespace. Root can change them without any capability, for example the program that
 * handles core dumps. Bubblewrap 0.8 leaves them writable if it runs as root. Other users cannot change them, and covering them would
 * keep an agent's own sandbox from mounting its own /proc.
 */
const SETTINGS = ["sys", "irq", "bus", "fs", "acpi", "scsi", "driver", "mtrr", "pressure"];

/** The command line of bubblewrap, up to the program. The first process inside is bubblewrap's own, which reaps all others. */
export function bubblewrapArgs({ level, mounts, network, cwd, isRoot = true }: Walls): readonly string[] {
  return [
    "--die-with-parent",
    "--new-session",
    "--unshare-pid",
    ...(level === "process" ? [] : ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL"]),
    ...(network ? [] : ["--unshare-net"]),
    ...mounts.flatMap(mountArgs),
    ...(level === "process" || !isRoot ? [] : SETTINGS.flatMap((name) => ["--ro-bind-try", `/proc/${name}`, `/proc/${name}`])),
    "--chdir",
    cwd,
    "--",
  ];
}

function mountArgs(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case "read":
      return ["--ro-bind", mount.from ?? mount.path, mount.path];
    case "write":
      return ["--bind", mount.from ?? mount.path, mount.path];
    case "empty":
      return [...(mount.bytes === undefined ? [] : ["--size", String(mount.bytes)]), "--tmpfs", mount.path];
    case "link":
      return ["--symlink", mount.to, mount.path];
    case "devices":
      return ["--dev", mount.path];
    case "processes":
      return ["--proc", mount.path];
    case "everything":
      return ["--dev-bind", "/", "/"];
  }
}
