import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { codeOf, HarnessError } from "../../pure/base/index.ts";

export interface Wanted {
  /** The user's choice: a path, or a name to find on PATH. */
  readonly binary?: string;
  /** The names to look for if the user chose none, best first. */
  readonly names: readonly string[];
  /** The option that named the program, for the error message. */
  readonly option?: "binary" | "command";
  /** How people install it, for the error message. */
  readonly install?: string;
  /** `$PATH` */
  readonly path: string | undefined;
  /** The directory that relative paths start from. */
  readonly cwd: string;
}

/** The absolute path of the program to start. Throws with the actual cause if there is none. */
export function findBinary({ binary, names, option = "binary", install, path, cwd }: Wanted): string {
  if (binary === "") throw new HarnessError("start", "`binary` is empty. Set it to a path or a program name.", { option: "binary" });
  if (binary?.includes("/")) {
    const chosen = resolve(cwd, binary);
    const flaw = flawOf(chosen);
    if (flaw === undefined) return chosen;
    throw new HarnessError("start", `Cannot start ${chosen}: ${flaw}. Choose a different program with \`${option}\`.`, { option });
  }
  const wanted = binary === undefined ? names : [binary];
  if (wanted.length === 0)
    throw new HarnessError("start", "This agent has no default program. Choose one with `command` or `binary`.", { option: "binary" });
  const { found, near } = search(wanted, path);
  if (found !== undefined) return found;
  const what = path ? "Program not found on PATH" : "PATH is not set, so this program was not found";
  const but = near === undefined ? "" : ` (${near.file}: ${near.flaw})`;
  const how = install === undefined || binary !== undefined ? "Install it" : `Install it (${install})`;
  throw new HarnessError("start", `${what}: ${wanted.join(" or ")}${but}. ${how}, or set its path with \`${option}\`.`, { option });
}

/** Like `findBinary`, without an error if there is none. */
export function installed(names: readonly string[], path: string | undefined): string | undefined {
  return search(names, path).found;
}

interface Found {
  readonly found?: string;
  /** The first file of that name that exists but cannot be started. */
  readonly near?: { readonly file: string; readonly flaw: string };
}

/** Skips empty and relative entries of PATH: they would run whatever is in the current directory. */
function search(names: readonly string[], path: string | undefined): Found {
  const directories = (path ?? "").split(delimiter).filter(isAbsolute);
  let near: Found["near"];
  for (const name of names) {
    for (const directory of directories) {
      const file = join(directory, name);
      const flaw = flawOf(file);
      if (flaw === undefined) return { found: file };
      if (flaw !== MISSING && flaw !== UNSEARCHABLE) near ??= { file, flaw };
    }
  }
  return { near };
}

const MISSING = "there is no such file";
const UNSEARCHABLE = "the directory it is in cannot be searched";

/** Why a file cannot be started; undefined for an executable regular file. */
function flawOf(file: string): string | undefined {
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) return "it is a directory";
    if (!stats.isFile()) return "it is not a regular file";
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return isLink(file) ? "it is a link to a file that does not exist" : MISSING;
    return reasons[code] ?? MISSING;
  }
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch {
    return "it is not executable";
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: UNSEARCHABLE,
  ELOOP: "its symbolic links form a loop",
};
