/** The program in a model's answer: all its fenced JavaScript blocks in order; undefined if there is none. */
export function codeOf(answer: string): string | undefined {
  const blocks = [...answer.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*([\w-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|$(?![\s\S]))/gm)];
  const code = blocks.filter(([, , language = ""]) => LANGUAGES.has(language.toLowerCase())).map(([, , , body = ""]) => body);
  return code.length === 0 ? undefined : code.join("\n");
}

const LANGUAGES = new Set(["", "js", "javascript", "repl", "mjs", "jsx", "es6"]);

/** An answer outside any code: `FINAL(…)` on its own lines. */
export function finalOf(answer: string): string | undefined {
  const text = /^[ \t]*FINAL\(([\s\S]*)\)[ \t]*$/m.exec(answer)?.[1]?.trim();
  return text === undefined ? undefined : text.replace(/^(["'`])([\s\S]*)\1$/, "$2");
}
