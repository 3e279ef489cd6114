type Token = "any" | "star" | ((char: string) => boolean);

const MOST_ALTERNATIVES = 64;

/**
 * Whether a path matches a glob as in ripgrep and `.gitignore`: `*` and `?` stay within a name, `**` crosses directories, `[a-z]` is one
 * character, `{a,b}` one of several texts. A glob without a slash is about the name alone. Takes time in proportion to both lengths.
 */
export function pathGlob(glob: string): (path: string) => boolean {
  const globs = alternatives(glob.replace(/^\.\//, "")).map((each) => {
    const bare = each.replace(/^\/+/, "");
    const names = each.includes("/") ? bare.split("/") : ["**", bare];
    return names.map((name) => (name === "**" ? undefined : tokensOf(name)));
  });
  return (path) => {
    const names = path.split("/");
    return globs.some((parts) => matchesPath(names, parts));
  };
}

/** `undefined` is `**`. Row by row, from the end: whether the rest of the path matches the rest of the glob. */
function matchesPath(names: readonly string[], parts: readonly (readonly Token[] | undefined)[]): boolean {
  let below = names.map(() => false).concat(true);
  for (const [index, part] of [...parts].reverse().entries()) {
    const isLast = index === 0; // `a/**` is everything in a, not a itself
    const row = names.map(() => false).concat(part === undefined && !isLast && below[names.length] === true);
    for (let at = names.length - 1; at >= 0; at--)
      row[at] =
        part === undefined
          ? isLast || below[at] === true || row[at + 1] === true
          : below[at + 1] === true && matchesName(names[at] ?? "", part);
    below = row;
  }
  return below[0] === true;
}

/** Backtracks to the last star only. */
function matchesName(name: string, tokens: readonly Token[]): boolean {
  let [at, token, star, from] = [0, 0, -1, 0];
  while (at < name.length) {
    const wanted = tokens[token];
    if (wanted === "star") [star, from, token] = [token, at, token + 1];
    else if (wanted !== undefined && (wanted === "any" || wanted(name[at] ?? ""))) [at, token] = [at + 1, token + 1];
    else if (star === -1) return false;
    else [from, at, token] = [from + 1, from + 1, star + 1];
  }
  while (tokens[token] === "star") token++;
  return token === tokens.length;
}

function tokensOf(name: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < name.length; at++) {
    const char = name[at] ?? "";
    const end = char === "[" ? name.indexOf("]", at + 2) : -1;
    if (char === "*") tokens.push("star");
    else if (char === "?") tokens.push("any");
    else if (end !== -1) {
      tokens.push(classOf(name.slice(at + 1, end)));
      at = end;
    } else {
      const own = char === "\\" && at + 1 < name.length ? (name[++at] ?? "") : char;
      tokens.push((each) => each === own);
    }
  }
  return tokens;
}

function classOf(text: string): (char: string) => boolean {
  const isNot = /^[!^]/.test(text);
  const ranges = Array.from(
    text.slice(isNot ? 1 : 0).matchAll(/(.)-(.)|(.)/gsu),
    ([, low, high, one = ""]) => [low ?? one, high ?? one] as const,
  );
  return (char) => ranges.some(([low, high]) => char >= low && char <= high) !== isNot;
}

/** The texts that braces stand for. */
function alternatives(glob: string): readonly string[] {
  const found: string[] = [];
  const waiting = [glob];
  for (let each = waiting.pop(); each !== undefined && found.length + waiting.length < MOST_ALTERNATIVES; each = waiting.pop()) {
    const braces = /\{([^{}]*)\}/.exec(each);
    if (braces === null) found.push(each);
    else
      for (const part of (braces[1] ?? "").split(","))
        waiting.push(each.slice(0, braces.index) + part + each.slice(braces.index + braces[0].length));
  }
  return found;
}
