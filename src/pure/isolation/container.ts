import type { Mount } from "./walls.ts";

/** A container of Docker or Podman. */
export interface Box {
  readonly name: string;
  readonly image: string;
  /** What one engine needs and the other does not know. */
  readonly options: readonly string[];
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  /** The limits of each process, as `name=soft:hard`. */
  readonly ulimits: readonly string[];
  /** Bytes. */
  readonly memory?: number | undefined;
  readonly processes?: number | undefined;
}

/** The command line after the engine's name, up to the program. It has its own loopback device and no other network. */
export function containerArgs({ name, image, options, mounts, cwd, ulimits, memory, processes }: Box): readonly string[] {
  return [
    "run",
    "--name",
    name,
    "--interactive",
    "--env=HARNESS_RUN_COOKIE",
    "--pull=never",
    "--log-driver=none",
    "--network=none",
    "--read-only",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--security-opt=label=disable",
    ...options,
    ...ulimits.map((limit) => `--ulimit=${limit}`),
    `--pids-limit=${processes ?? -1}`,
    ...(memory === undefined ? [] : [`--memory=${memory}`, `--memory-swap=${memory}`]),
    ...[...lastOfEach(mounts)].flatMap(mountArgs),
    `--workdir=${cwd}`,
    "--entrypoint=",
    image,
  ];
}

/** An engine rejects a second mount at a path. The last one counts, as it does in other walls. */
function lastOfEach(mounts: readonly Mount[]): Iterable<Mount> {
  return new Map(mounts.map((mount) => ["path" in mount ? mount.path : "/", mount])).values();
}

function mountArgs(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case "read":
      return [`--mount=${fields("type=bind", `source=${mount.from ?? mount.path}`, `destination=${mount.path}`, "readonly")}`];
    case "write":
      return [`--mount=${fields("type=bind", `source=${mount.from ?? mount.path}`, `destination=${mount.path}`)}`];
    case "empty":
      return [`--mount=${fields("type=tmpfs", `destination=${mount.path}`, "tmpfs-mode=1777")}`];
    default:
      return []; // devices, processes and links are the image's and the engine's own
  }
}

/** Both engines read the value as a line of CSV. */
function fields(...values: readonly string[]): string {
  return values.map((value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(",");
}
