import { accessSync, constants, mkdirSync, readdirSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { forProgram, own, writeFile } from "../../../host/sink/index.ts";
import { bashEnv } from "./bash-env.ts";
import { NAME_SHOWING } from "./name-showing.ts";
import { probeShell } from "./probe-shell.ts";
import { ALL_RECORDS, MIRROR, PASS_ON, wrapperScript } from "./wrapper-script.ts";

export interface Wrappers {
  /** The directory to put first on the PATH. */
  readonly bin: string;
  /** The value for `BASH_ENV`: it restores the wrappers after a login shell has replaced PATH. */
  readonly bashEnv: string;
  readonly log: string;
  readonly names: readonly string[];
  /** Requested names that are not on the PATH: a wrapper would make them look installed. */
  readonly missing: readonly string[];
}

/** Wraps every program on the PATH. */
export const ALL = "all";

/** Writes one script per name into its own directory. `path` must not contain that directory; `theirs` is the original BASH_ENV. */
export function makeWrappers(directory: string, wanted: readonly string[], path: string, theirs?: string): Wrappers {
  const bin = join(directory, "bin");
  const log = join(directory, "log");
  for (const folder of [bin, log]) mkdirSync(folder, { mode: 0o700, recursive: true });
  writeFile(join(log, ALL_RECORDS), own``, { mode: 0o600, flag: "wx" });
  const installed = programsOn(path);
  const names = (wanted.includes(ALL) ? [...installed.keys()] : [...new Set(wanted)].filter((name) => installed.has(name))).sort();
  const { standard, env } = probeShell(
    names.filter((name) => NAME_SHOWING.has(name)),
    path,
  );
  const [mirror, passOn] = [join(directory, "mirror"), join(directory, "pass-on")];
  writeFile(mirror, forProgram(MIRROR), { flag: "wx" });
  writeFile(passOn, forProgram(PASS_ON), { flag: "wx" });
  for (const name of names) {
    const program = installed.get(name) ?? "";
    const script = wrapperScript({ name, bin, log, mirror, passOn, path, program, standard: standard.get(name) ?? null, env });
    writeFile(join(bin, name), forProgram(script), { mode: 0o755, flag: "wx" });
  }
  const missing = wanted.filter((name) => name !== ALL && !installed.has(name));
  const file = join(directory, "bash-env");
  writeFile(file, forProgram(bashEnv(bin, theirs)), { flag: "wx" });
  return { bin, bashEnv: file, log, names, missing };
}

/** The programs on a PATH, by name. Skips empty and relative entries, because they depend on the current directory. */
function programsOn(path: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const directory of new Set(path.split(delimiter).filter(isAbsolute))) {
    for (const name of listed(directory)) if (!found.has(name) && isProgram(join(directory, name))) found.set(name, `${directory}/${name}`);
  }
  return found;
}

function listed(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // a PATH may name missing directories
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
