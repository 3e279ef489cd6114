/**
 * Why a script of sed does more than edit lines: `w`, `r` and `e` use files and programs. Undefined: it only edits. A script that cannot be
 * followed counts as one that does. In `[…]`, a slash ends the pattern for GNU's sed, but not for others: it must be harmless to both.
 */
export function sedDoes(script: string): string | undefined {
  const isPlain = onlyEdits(script, false) && onlyEdits(script, true);
  return isPlain ? undefined : "the script of sed uses files or programs, or cannot be followed";
}

function onlyEdits(script: string, hasLists: boolean): boolean {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    const found = new RegExp(pattern.source, "sy");
    found.lastIndex = at;
    const text = found.exec(script)?.[0];
    at += text?.length ?? 0;
    return text !== undefined;
  };
  /** Up to the next delimiter that is not escaped. */
  const through = (delimiter: string, isPattern: boolean): boolean => {
    while (at < script.length) {
      const char = script[at];
      if (char === "\n") return false;
      if (char === "[" && isPattern && hasLists) {
        if (!skip(/\[\^?\]?(?:\[[:.=]\w+[:.=]\]|\\.|[^\]\n\\])*\]/)) return false;
        continue;
      }
      at += char === "\\" ? 2 : 1;
      if (char === delimiter) return true;
    }
    return false;
  };
  const address = (): boolean => skip(/\d+(?:~\d+)?|\$|[+~]\d+/) || (skip(/\//) && through("/", true) && skip(/[IM]*/));

  while (skip(/[\s;]*/) && at < script.length) {
    if (skip(/#[^\n]*/)) continue;
    if (/[\d$/]/.test(script[at] ?? "") && (!address() || (skip(/\s*,\s*/) && !address()))) return false;
    skip(/[\s!]*/);
    const command = script[at++] ?? "";
    if (command === "{" || command === "}") continue;
    if (command === "s" || command === "y") {
      const delimiter = script[at++] ?? " ";
      if (/[\s\\;[]/.test(delimiter) || !through(delimiter, command === "s") || !through(delimiter, false)) return false;
      skip(/[gpiImM\d]*/);
    } else if (/[aic]/.test(command)) skip(/(?:\\.|[^\n\\])*/);
    else if (/[btT:]/.test(command)) skip(/[ \t]*\w*/);
    else if (/[qQlL]/.test(command)) skip(/[ \t]*\d*/);
    else if (!/[dDgGhHnNpPxz=F]/.test(command)) return false;
    skip(/[ \t]*/);
    if (at < script.length && !/[;\n}#]/.test(script[at] ?? "")) return false;
  }
  return true;
}
