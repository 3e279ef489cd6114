import { readdirSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { ROOT } from "./root.ts";
import { isNode, type Syntax, syntaxOf, textOf } from "./syntax.ts";

export { ROOT };

export interface Import {
  /** From the root of the project: `src/pure/base/json.ts`. */
  readonly file: string;
  /** Another of our files, or the name of a package. */
  readonly target: string;
  /** Of types alone: nothing is loaded. */
  readonly isType: boolean;
}

/** Every source file below a folder, in any spelling of JavaScript. */
export function filesIn(folder: string, root = ROOT): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .map((file) => posix.join(folder, ...file.split(sep)))
    .sort();
}

/** The imports of a file. Throws on an import that does not say what it imports. */
export function importsOf(file: string, root = ROOT): readonly Import[] {
  return specifiersIn(syntaxOf(file, root), file).map(({ specifier, isType }) => {
    const target = specifier.startsWith(".") ? posix.join(dirname(file), specifier) : specifier;
    return { file, target, isType };
  });
}

/** Files that load a user's own module, by a path that only the user knows. */
const LOADERS = new Set(["src/host/recording/own/load-module.ts"]);

export function specifiersIn(
  { nodes, comments }: Syntax,
  file: string,
): readonly { readonly specifier: string; readonly isType: boolean }[] {
  const found: { specifier: string; isType: boolean }[] = [];
  const add = (source: unknown, isType: boolean, isComputed = false) => {
    const specifier = textOf(source);
    if (specifier !== undefined && !specifier.includes("…")) found.push({ specifier, isType });
    else if (!isComputed || !LOADERS.has(file)) throw new Error(`${file} imports something that is not a literal`);
  };
  for (const node of nodes) {
    if (node.type === "ImportDeclaration") add(node["source"], node["importKind"] === "type");
    else if (node.type === "ExportAllDeclaration") add(node["source"], node["exportKind"] === "type");
    else if (node.type === "ExportNamedDeclaration" && isNode(node["source"])) add(node["source"], node["exportKind"] === "type");
    else if (node.type === "TSImportType") add(node["source"] ?? node["argument"], true);
    else if (node.type === "TSExternalModuleReference") add(node["expression"], false);
    else if (node.type === "ImportExpression") add(node["source"], false, true);
    else if (node.type === "CallExpression" && isNode(node["callee"]) && node["callee"]["name"] === "require")
      add((node["arguments"] as readonly unknown[])[0], false);
  }
  const reference = comments.find((comment) => /^\/\s*<reference\b/.test(comment));
  if (reference !== undefined) throw new Error(`${file} has /${reference}: import what it needs instead`);
  return found;
}
