import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface Import {
  /** From the root of the project: `src/pure/base/json.ts`. */
  readonly file: string;
  /** Another of our files, or the name of a package. */
  readonly target: string;
  /** `import()`: loaded on demand. */
  readonly lazy: boolean;
}

const STATEMENT = /^(?:import|export)\s[^"';]*?\bfrom\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|^import\s*"([^"]+)"/gm;
/** The end of an import statement: a second way to count them. */
const SPECIFIER = /\bfrom "[^"]+"(?: with \{[^}]*\})?;$|\bimport\(\s*"[^"]+"\s*\)|^import "[^"]+";$/gm;

/** Every source file below a folder. */
export function filesIn(folder: string, root = ROOT): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"))
    .map((file) => posix.join(folder, ...file.split(sep)))
    .sort();
}

/** The imports of a file. Throws on an import that this reader does not understand. */
export function importsOf(file: string, root = ROOT): readonly Import[] {
  const text = withoutTemplates(readFileSync(join(root, file), "utf8"));
  const found = [...text.matchAll(STATEMENT)].map(([, from, lazy, bare]) => {
    const specifier = from ?? lazy ?? bare ?? "";
    const target = specifier.startsWith(".") ? posix.join(dirname(file), specifier) : specifier;
    return { file, target, lazy: lazy !== undefined };
  });
  const expected = text.match(SPECIFIER)?.length ?? 0;
  if (found.length !== expected) throw new Error(`${file}: ${expected} imports, of which ${found.length} could be read`);
  return found;
}

/** Some files contain programs as text, with their own imports. */
function withoutTemplates(text: string): string {
  return text.replace(/`(?:[^`\\]|\\[\s\S])*`/g, "``").replace(/^\s*(?:\/\/|\*).*$/gm, "");
}
