const LANGUAGES = new Set(["", "js", "javascript", "repl", "mjs", "jsx", "es6"]);

/**
 * The program in a model's answer: all its fenced JavaScript blocks in order; undefined if there is none. Reads line by line: a pattern over
 * the whole answer took seconds for 300 kB of backticks.
 */
export function codeOf(answer: string): string | undefined {
  const blocks: string[] = [];
  let open: { readonly fence: string; readonly isCode: boolean; readonly from: number } | undefined;
  let at = 0;
  for (const line of answer.split("\n")) {
    const end = at + line.length;
    const [, fence, rest = ""] = /^[ \t]*(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    if (open === undefined) {
      // The last line opens nothing: its block would have no line.
      if (fence !== undefined && end < answer.length) open = { fence, isCode: LANGUAGES.has(languageIn(rest)), from: end + 1 };
    } else if (fence?.startsWith(open.fence) === true && /^[`~]*[ \t]*$/.test(rest)) {
      if (open.isCode) blocks.push(answer.slice(open.from, at));
      open = undefined;
    }
    at = end + 1;
  }
  if (open?.isCode === true) blocks.push(answer.slice(open.from));
  return blocks.length === 0 ? undefined : blocks.join("\n");
}

function languageIn(rest: string): string {
  return (/^[ \t]*([\w-]*)/.exec(rest)?.[1] ?? "").toLowerCase();
}

/** An answer outside any code: `FINAL(…)` on its own lines. */
export function finalOf(answer: string): string | undefined {
  const start = /^[ \t]*FINAL\(/m.exec(answer);
  if (start === null) return undefined;
  const from = start.index + start[0].length;
  for (let end = answer.length; end > from; end = answer.lastIndexOf("\n", end - 1)) {
    const line = answer.slice(Math.max(from, answer.lastIndexOf("\n", end - 1) + 1), end).trimEnd();
    if (line.endsWith(")")) return unquoted(answer.slice(from, answer.lastIndexOf(")", end - 1)).trim());
  }
  return undefined;
}

function unquoted(text: string): string {
  const [quote = ""] = text;
  return "\"'`".includes(quote) && text.length > 1 && text.endsWith(quote) ? text.slice(1, -1) : text;
}
