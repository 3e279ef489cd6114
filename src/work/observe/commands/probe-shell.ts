import { spawnSync } from "node:child_process";

export interface ShellAbilities {
  /** What `command -p` finds, by name: only where the shell becomes the program, instead of waiting for it. */
  readonly standard: ReadonlyMap<string, string>;
  /** An `env` that can undo the deafness of a background child; null where there is none. */
  readonly env: string | null;
}

/** Each name on a line of its own, then where `command -p` finds it. The first line tells whether it runs in the shell's own place. */
const SCRIPT = `( command -p sh -c 'echo $PPID' ) & wait
echo $$
command -p env --default-signal=INT,QUIT true >/dev/null 2>&1 && command -pv env || echo
for n; do echo "$n"; command -pv "$n" 2>/dev/null || echo; done`;

/** Asked once for all wrappers. A shell that cannot be asked has no abilities: the wrappers then do without. */
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
