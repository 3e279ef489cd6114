import { folded } from "../base/index.ts";

/**
 * Whether a path matches one of the patterns: `*` is any part of a name, `**` any number of folders, `?` one character. A pattern without
 * a slash matches a name anywhere; a pattern that ends in a slash matches everything in that folder.
 */
export function matchesAny(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => expressionOf(pattern).test(path));
}

/** For what must not be touched: also true for a path that some file system takes for a matching one. */
export function touchesAny(path: string, patterns: readonly string[]): boolean {
  return matchesAny(folded(path), patterns.map(folded));
}

const known = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  let expression = known.get(pattern);
  if (expression === undefined) {
    expression = new RegExp(`^${sourceOf(pattern)}$`, "s");
    if (known.size < 1_000) known.set(pattern, expression);
  }
  return expression;
}

function sourceOf(pattern: string): string {
  const whole = pattern.endsWith("/") ? `${pattern}**` : pattern;
  const rooted = whole.includes("/") ? whole.replace(/^\.?\//, "") : `**/${whole}`;
  return rooted
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === "**/") return "(?:[^/]+/)*";
      if (part === "**") return ".*";
      if (part === "*") return "[^/]*";
      return part === "?" ? "[^/]" : part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
}
