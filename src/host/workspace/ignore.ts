import { isPathLike } from "../../pure/base/index.ts";

/** Our own rules: `node_modules` matches that name anywhere, `build/out` that path from the root; `*` matches any part of a name. */
export function ignoring(rules: readonly string[]): (path: string, name: string) => boolean {
  if (rules.length === 0) return () => false;
  const names = rules.filter((rule) => !rule.includes("/"));
  const paths = rules.filter((rule) => rule.includes("/")).map((rule) => rule.replace(/^\.?\/+|\/+$/g, ""));
  return (path, name) => names.some((rule) => isPathLike(name, rule)) || paths.some((rule) => isPathLike(path, rule));
}
