/** Our own rules: `node_modules` matches that name anywhere, `build/out` that path from the root; `*` matches any part of a name. */
export function ignoring(rules: readonly string[]): (path: string, name: string) => boolean {
  if (rules.length === 0) return () => false;
  const names = rules.filter((rule) => !rule.includes("/")).map(patternOf);
  const paths = rules.filter((rule) => rule.includes("/")).map((rule) => patternOf(rule.replace(/^\.?\/+|\/+$/g, "")));
  return (path, name) => names.some((rule) => rule.test(name)) || paths.some((rule) => rule.test(path));
}

function patternOf(rule: string): RegExp {
  const source = rule
    .split(/\*+/)
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join("[^/]*");
  return new RegExp(`^${source}$`, "s");
}
