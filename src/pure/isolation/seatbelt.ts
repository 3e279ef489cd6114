import type { Mount, Walls } from "./walls.ts";

/** Untested on a Mac. What every program on macOS needs before it runs its first line. Taken from the profiles of tools that use `sandbox-exec`. */
const BASE = `(version 1)
(deny default)
(allow process-fork process-exec process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow mach-lookup (global-name "com.apple.system.logger") (global-name "com.apple.system.notification_center") (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.SecurityServer") (global-name "com.apple.trustd.agent"))
(allow ipc-posix-sem ipc-posix-shm* (ipc-posix-name-regex #"^/tmp/"))
(allow file-read-metadata)
(allow file-read* (literal "/"))`;

const DEVICES = ["null", "zero", "random", "urandom", "tty", "fd", "stdin", "stdout", "stderr"];

/**
 * The walls as a profile of `sandbox-exec`. Of several rules for a path the last one counts, like the last of several mounts. Seatbelt
 * cannot show a file at another path: a mount with `from` allows the path outside, and the caller points the program there by variables.
 */
export function seatbeltProfile({ mounts, network }: Pick<Walls, "mounts" | "network">): string {
  return `${[BASE, ...mounts.flatMap(rulesFor), ...(network ? ["(allow network* system-socket)"] : ["(deny network*)"])].join("\n")}\n`;
}

function rulesFor(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case "read":
      return [`(allow file-read* ${below(mount.from ?? mount.path)})`, `(deny file-write* ${below(mount.from ?? mount.path)})`];
    case "write":
      return [`(allow file-read* file-write* ${below(mount.from ?? mount.path)})`];
    case "empty":
      return [`(deny file-read* file-write* ${below(mount.path)})`, `(allow file-read-metadata (literal ${quoted(mount.path)}))`];
    case "link":
      return [`(allow file-read* (literal ${quoted(mount.path)}))`];
    case "devices":
      return [
        `(allow file-read* file-write* file-ioctl ${DEVICES.map((name) => `(literal ${quoted(`${mount.path}/${name}`)})`).join(" ")})`,
      ];
    case "processes":
      return []; // there is no /proc
    case "everything":
      return ["(allow file-read* file-write* file-ioctl)"];
  }
}

function below(path: string): string {
  return `(subpath ${quoted(path)})`;
}

/** A string of SBPL: quotes and backslashes are escaped. Control characters cannot be written, and occur in no path that we mount. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
