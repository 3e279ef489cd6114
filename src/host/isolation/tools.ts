import { spawnSync } from "node:child_process";
import { HarnessError } from "../../pure/base/index.ts";
import { installed } from "../process/index.ts";

export interface Tool {
  readonly path: string;
  readonly version: string;
}

const CLEAN = { LC_ALL: "C", PATH: "/usr/bin:/bin" };
const found = new Map<string, Tool | HarnessError>();

/** Bubblewrap, if this machine has one that works. Throws a sentence with the remedy. */
export function bubblewrap(path: string | undefined): Tool {
  const file = installed(["bwrap"], path);
  if (file === undefined)
    throw unavailable("Bubblewrap (bwrap) was not found on PATH. Install it (apt-get install bubblewrap, dnf install bubblewrap)");
  const known = found.get(file) ?? tried(file);
  found.set(file, known);
  if (known instanceof HarnessError) throw known;
  return known;
}

function tried(file: string): Tool | HarnessError {
  const args = ["--ro-bind", "/", "/", "--unshare-pid", "--unshare-ipc", "--proc", "/proc", "--dev", "/dev", "--die-with-parent", "true"];
  const { status, stderr, error } = spawnSync(file, args, { env: CLEAN, encoding: "utf8", timeout: 10_000 });
  if (status !== 0) {
    const [line = ""] = (error?.message ?? stderr).trim().split("\n", 1);
    return unavailable(`Bubblewrap does not work here (${line.replace(/^bwrap: /, "").replace(/\.$/, "")}). ${remedyFor(stderr)}`);
  }
  const version = spawnSync(file, ["--version"], { env: CLEAN, encoding: "utf8" }).stdout.trim().split(" ").at(-1) ?? "";
  return { path: file, version };
}

/** What bwrap says because of Ubuntu's AppArmor, Debian's sysctl, Docker's seccomp filter, or containers that mask /proc. */
function remedyFor(said: string): string {
  if (/uid map|setting up loopback/.test(said))
    return "AppArmor denies it user namespaces: add a profile for bwrap (apt-get install apparmor-profiles), or set kernel.apparmor_restrict_unprivileged_userns=0";
  if (/mount.*proc/i.test(said)) return "This container hides parts of /proc: start it with --security-opt systempaths=unconfined";
  if (/namespace|not permitted/.test(said))
    return "User namespaces are forbidden: set kernel.unprivileged_userns_clone=1, or start the container with a seccomp profile that permits clone and unshare (--security-opt seccomp=unconfined)";
  return "Ask bwrap itself: bwrap --ro-bind / / --unshare-pid --proc /proc true";
}

function unavailable(why: string): HarnessError {
  return new HarnessError("start", `${why}, or choose a different level.`, { option: "isolate" });
}
