import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { codeOf, HarnessError } from "../../pure/base/index.ts";

export interface Wanted {
  /** The user's choice: a path, or a name to look for on PATH. */
  readonly binary?: string;
  /** The names to look for where the user chose none, best first. */
  readonly names: readonly string[];
  /** How people install it, for the sentence that says it is not there. */
  readonly install?: string;
  /** `$PATH` */
  readonly path: string | undefined;
  /** What a relative path counts from. */
  readonly cwd: string;
}

/** The absolute path of the program to start. Throws the true cause where there is none. */
export function findBinary({ binary, names, install, path, cwd }: Wanted): string {
  if (binary === "") throw new HarnessError("start", "`binary` is empty; give it a path or a program's name.", { option: "binary" });
  if (binary?.includes("/")) {
    const chosen = resolve(cwd, binary);
    const flaw = flawOf(chosen);
    if (flaw === undefined) return chosen;
    throw new HarnessError("start", `Cannot start ${chosen}: ${flaw}; give another program with \`binary\`.`, { option: "binary" });
  }
  const wanted = binary === undefined ? names : [binary];
  if (wanted.length === 0)
    throw new HarnessError("start", "This agent has no program of its own; give one with `command` or `binary`.", { option: "binary" });
  const { found, near } = search(wanted, path);
  if (found !== undefined) return found;
  const where = path ? "in no directory of PATH" : "nowhere, because PATH is not set";
  const but = near === undefined ? "" : ` (${near.file}: ${near.flaw})`;
  const how = install === undefined || binary !== undefined ? "install it" : `install it (${install})`;
  throw new HarnessError("start", `The program ${wanted.join(" or ")} is ${where}${but}; ${how}, or give its path with \`binary\`.`, {
    option: "binary",
  });
}

/** The same for those who only want to know. */
export function installed(names: readonly string[], path: string | undefined): string | undefined {
  return search(names, path).found;
}

interface Found {
  readonly found?: string;
  /** The first file of that name that could have been it. */
  readonly near?: { readonly file: string; readonly flaw: string };
}

/** An empty or relative entry of PATH would run whatever lies in the directory we happen to be in: it is passed over. */
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

/** What keeps a file from being started; undefined for an executable regular file. */
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
  ELOOP: "its links lead in a circle",
};
