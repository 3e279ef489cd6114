// Yields the prose of a file line by line: the text of a page without code, or the comments and strings of a source file.

/** @returns {Generator<{ line: number, text: string }>} */
export function proseOf(file, text) {
  return file.endsWith(".md") ? ofPage(text) : ofSource(text);
}

function* ofPage(text) {
  let fence;
  let line = 0;
  for (const content of text.split("\n")) {
    line += 1;
    const mark = /^\s*(`{3,}|~{3,})/.exec(content)?.[1];
    if (mark !== undefined && (fence === undefined || content.trim() === fence)) fence = fence === undefined ? mark : undefined;
    else if (fence === undefined) yield { line, text: withoutCode(content) };
  }
}

/** Tried in this order; a slash starts a regular expression only after certain tokens. */
const TOKEN =
  /(\/\/.*)|(\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*")|('(?:[^'\\\n]|\\.)*')|(`(?:[^`\\]|\\[\s\S])*`)|((?<=[(,=:[!&|?{};\n]\s*|\breturn\s+|=>\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)/g;

function* ofSource(text) {
  let line = 1;
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    for (; at < match.index; at += 1) if (text[at] === "\n") line += 1;
    const [whole, comment, block, ...strings] = match;
    if (strings.at(-1) !== undefined) continue; // a regular expression
    const isString = comment === undefined && block === undefined;
    const lines = whole.split("\n");
    for (const [offset, content] of lines.entries()) {
      const prose = withoutCode(isString ? content.replace(/\$\{[^}]*\}/g, "…") : content.replace(/^\s*(?:\/\*\*?|\*\/?|\/\/)\s?/, ""));
      // A string without a space is a name or a value.
      if (!isString || / /.test(prose.slice(1, -1).trim()))
        yield { line: line + offset, text: isString ? prose.replace(/^["'`]|["'`]$/g, "") : prose };
    }
  }
}

/** Removes `code`, addresses of links, and quotes. */
function withoutCode(text) {
  return text
    .replace(/(?<!^)`[^`]+`(?!$)/g, "…")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/“[^”]*”/g, "…")
    .replace(/https?:\S+/g, "…");
}
