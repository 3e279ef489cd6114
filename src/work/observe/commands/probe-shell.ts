import { spawnSync } from "node:child_process";

export interface ShellAbilities {
  /** The paths that `command -p` finds, by name; empty unless the shell replaces itself with the program instead of waiting for it. */
  readonly standard: ReadonlyMap<string, string>;
  /** An `env` that can restore the signals that a background child ignores; null if there is none. */
  readonly env: string | null;
}

/** Prints each name, then the path that `command -p` finds. The first line shows whether the program replaces the shell. */
const SCRIPT = `( command -p sh -c 'echo $PPID' ) & wait
echo $$
command -p env --default-signal=INT,QUIT true >/dev/null 2>&1 && command -pv env || echo
for n; do echo "$n"; command -pv "$n" 2>/dev/null || echo; done`;

/** Asked once for all wrappers. If the shell does not answer, the wrappers use none of these abilities. */
export function probeShell(names: readonly string[], path: string): ShellAbilities {
  const asked = names.filter((name) => !/[\n\0]/.test(name));
  const { stdout } = spawnSync("/bin/sh", ["-c", SCRIPT, "sh", ...asked], {
    env: { PATH: path },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 10_000,
  });
  const [parent, shell, env, ...found] = (stdout ?? "").split("\n");
  const isInPlace = parent !== undefined && parent !== "" && parent === shell;
  const standard = new Map<string, string>();
  for (let at = 0; isInPlace && at + 1 < found.length; at += 2) {
    const where = found[at + 1] ?? "";
    if (where.startsWith("/")) standard.set(found[at] ?? "", where);
  }
  return { standard, env: env?.startsWith("/") ? env : null };
}
