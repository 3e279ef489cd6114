/** After these a slash begins a regular expression; elsewhere it divides. */
const BEFORE_REGEXP = /(?:^|[([{,;=:!&|?+\-*%~^<>}\n]|\b(?:return|typeof|case|of|in|new|void|delete|await|yield))$/;

/**
 * The same program with `var` for each `let` and `const` outside a block: later programs see earlier declarations and may repeat them,
 * as in any console. Leaves strings, comments and regular expressions unchanged.
 */
export function withVars(code: string): string {
  let out = "";
  let depth = 0;
  const templates: number[] = []; // the depths of open `${`
  for (let at = 0; at < code.length; ) {
    const rest = code.slice(at, at + 2);
    const first = rest.charAt(0);
    let end = at + 1;
    if (rest === "//") end = lineEnd(code, at);
    else if (rest === "/*") end = after(code, "*/", at + 2);
    else if (first === '"' || first === "'") end = textEnd(code, at);
    else if (first === "/" && BEFORE_REGEXP.test(out.slice(-12).trimEnd() || "\n")) end = regexpEnd(code, at);
    else if (first === "`" || (first === "}" && templates.at(-1) === depth)) {
      if (first === "}") templates.pop();
      end = templateEnd(code, at + 1);
      if (code.startsWith("${", end - 2) && code.charAt(end - 1) === "{") templates.push(depth);
    } else if ("{[(".includes(first)) depth++;
    else if ("}])".includes(first)) depth--;
    else if (/[A-Za-z_$]/.test(first)) {
      end = at + (/^[\w$]+/.exec(code.slice(at, at + 200))?.[0].length ?? 1);
      const word = code.slice(at, end);
      const isDeclaration = depth === 0 && (word === "let" || word === "const") && /^\s+[\w$[{]/.test(code.slice(end, end + 20));
      out += isDeclaration && !/[\w$.]$/.test(out) ? "var" : word;
      at = end;
      continue;
    }
    out += code.slice(at, end);
    at = end;
  }
  return out;
}

function lineEnd(code: string, from: number): number {
  const end = code.indexOf("\n", from);
  return end === -1 ? code.length : end;
}

function after(code: string, mark: string, from: number): number {
  const found = code.indexOf(mark, from);
  return found === -1 ? code.length : found + mark.length;
}

function textEnd(code: string, from: number): number {
  const quote = code.charAt(from);
  for (let at = from + 1; at < code.length; at++) {
    if (code.charAt(at) === "\\") at++;
    else if (code.charAt(at) === quote || code.charAt(at) === "\n") return at + 1;
  }
  return code.length;
}

function regexpEnd(code: string, from: number): number {
  let isClass = false;
  for (let at = from + 1; at < code.length; at++) {
    const character = code.charAt(at);
    if (character === "\n") return from + 1; // it was a division after all
    if (character === "\\") at++;
    else if (character === "[") isClass = true;
    else if (character === "]") isClass = false;
    else if (character === "/" && !isClass) return at + 1;
  }
  return from + 1;
}

/** The index after the closing mark, or after the next `${`. */
function templateEnd(code: string, from: number): number {
  for (let at = from; at < code.length; at++) {
    if (code.charAt(at) === "\\") at++;
    else if (code.charAt(at) === "`") return at + 1;
    else if (code.startsWith("${", at)) return at + 2;
  }
  return code.length;
}
