import { pathGlob } from "./path-glob.ts";

/** What `.gitignore`, `.ignore` and `.rgignore` files leave out of a search. Paths are from the workspace's root. */
export interface IgnoreRules {
  /** Reads the files of a directory, before its entries are asked about. */
  enter(directory: string): void;
  ignores(path: string, isDirectory: boolean): boolean;
}

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly isNot: boolean;
  readonly onlyDirectories: boolean;
}

const FILES = [".gitignore", ".ignore", ".rgignore"];
const MOST_RULES = 10_000;

/** The last rule that matches decides, and a deeper directory's rules come later. An ignored directory is never entered. */
export function ignoreRules(peek: (path: string) => Buffer | undefined): IgnoreRules {
  const byDirectory = new Map<string, readonly Rule[]>();
  let count = 0;
  return {
    enter(directory) {
      if (byDirectory.has(directory) || count > MOST_RULES) return;
      const rules = FILES.flatMap((name) => rulesIn(peek(directory === "" ? name : `${directory}/${name}`)?.toString("utf8") ?? ""));
      count += rules.length;
      if (rules.length > 0) byDirectory.set(directory, rules);
    },
    ignores(path, isDirectory) {
      const names = path.split("/");
      for (let depth = names.length - 1; depth >= 0; depth--) {
        const rules = byDirectory.get(names.slice(0, depth).join("/"));
        const below = names.slice(depth).join("/");
        const rule = rules?.findLast(({ matches, onlyDirectories }) => (isDirectory || !onlyDirectories) && matches(below));
        if (rule !== undefined) return !rule.isNot;
      }
      return false;
    },
  };
}

function rulesIn(text: string): readonly Rule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const bare = line.replace(/(?<!\\)\s+$/, "");
    if (bare === "" || bare.startsWith("#")) return [];
    const isNot = bare.startsWith("!");
    const rule = isNot ? bare.slice(1) : bare.replace(/^\\(?=[#!])/, "");
    const glob = rule.replace(/\/+$/, "").replaceAll(/[{}]/g, "\\$&"); // git has no braces
    return glob === "" ? [] : [{ matches: pathGlob(glob), isNot, onlyDirectories: rule.endsWith("/") }];
  });
}
