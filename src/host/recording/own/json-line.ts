/** The line of a JSON text, from 1, on which the value at a path begins. If the path ends early: the line of the last value found. */
export function jsonLine(text: string, path: readonly PropertyKey[]): number {
  let at = space(text, 0);
  for (const step of path) {
    const inner = typeof step === "number" ? itemAt(text, at, step) : memberAt(text, at, String(step));
    if (inner === undefined) break;
    at = inner;
  }
  return lineAt(text, at);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The offset of a key's value, in the object that begins at `start`. If a key repeats, the last one wins, as in the parser. */
function memberAt(text: string, start: number, key: string): number | undefined {
  if (text[start] !== "{") return undefined;
  let found: number | undefined;
  for (let at = space(text, start + 1); text[at] === '"'; ) {
    const end = skip(text, at);
    const value = space(text, space(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === key) found = value;
    at = space(text, skip(text, value));
    if (text[at] !== ",") break;
    at = space(text, at + 1);
  }
  return found;
}

function itemAt(text: string, start: number, index: number): number | undefined {
  if (text[start] !== "[") return undefined;
  let at = space(text, start + 1);
  for (let i = 0; i < index; i++) {
    at = space(text, skip(text, at));
    if (text[at] !== ",") return undefined;
    at = space(text, at + 1);
  }
  return text[at] === "]" ? undefined : at;
}

/** The offset after the value that begins at `start`. The text is valid JSON. */
function skip(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === '"') {
      at = closingQuote(text, at);
      if (depth === 0) return at + 1;
    } else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      if (depth === 0) return at; // the end of the object or array around a number or a literal
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && /[,\s]/.test(character)) return at;
  }
  return text.length;
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function space(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}
