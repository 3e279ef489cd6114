/** Characters after which a shell starts another command, a redirection or a substitution. */
const ELSEWHERE = /[;&|<>()`$\n\r]/;

/**
 * Whether a text matches a pattern: `*` is any characters, `?` is one, case is ignored. With `within`, neither matches a character that
 * separates commands, so `git *` does not match `git log; rm -r .`. The pattern `*` alone matches everything.
 */
export function isLike(text: string, pattern: string, { within = false }: { readonly within?: boolean } = {}): boolean {
  const wanted = pattern.trim().toLowerCase();
  return matches(text.trim().toLowerCase(), wanted, (char) => within && wanted !== "*" && ELSEWHERE.test(char));
}

/** Like `isLike`, for names that must be exactly these: case and spaces count. */
export function isExactlyLike(text: string, pattern: string): boolean {
  return matches(text, pattern, () => false);
}

/** Whether a path matches a pattern in which `*` is any part of a name, and every other character is itself. */
export function isPathLike(path: string, pattern: string): boolean {
  return matches(path, pattern, (char) => char === "/", false);
}

/** Whether a text of which parts are not known could match a pattern. `any` stands for such a part. Case is ignored, as by `isLike`. */
export function couldBeLike(text: string, pattern: string, any: string): boolean {
  if (!text.includes(any)) return isLike(text, pattern);
  const [a, b] = [text.trim().toLowerCase(), pattern.trim().toLowerCase()];
  // Row by row: whether the rest of the text and the rest of the pattern have a text in common.
  let below = rowOf(
    a.length,
    Array.from({ length: b.length + 1 }, () => false),
  );
  for (let at = a.length - 1; at >= 0; at--) below = rowOf(at, below);
  return below[0] === true;

  function rowOf(at: number, next: readonly boolean[]): readonly boolean[] {
    const row = Array.from({ length: b.length + 1 }, () => false);
    for (let p = b.length; p >= 0; p--) {
      const [char, wanted] = [a[at], b[p]];
      if (char === undefined && wanted === undefined) row[p] = true;
      else if (char === any) row[p] = next[p] === true || row[p + 1] === true;
      else if (wanted === "*") row[p] = row[p + 1] === true || (char !== undefined && next[p] === true);
      else row[p] = char !== undefined && wanted !== undefined && (wanted === "?" || wanted === char) && next[p + 1] === true;
    }
    return row;
  }
}

/** The commands a shell would split this line into, so that a rule can check each. */
export function partsOf(command: string): readonly string[] {
  return command.split(new RegExp(`${ELSEWHERE.source}+`)).filter((part) => part.trim() !== "");
}

/** Backtracks to the last star only, so the cost is at most the product of both lengths. */
function matches(text: string, pattern: string, isWall: (char: string) => boolean, isOne = true): boolean {
  let t = 0;
  let p = 0;
  let star = -1;
  let from = 0;
  for (let char = text[t]; char !== undefined; char = text[t]) {
    if (pattern[p] === "*") {
      star = p++;
      from = t;
    } else if (p < pattern.length && (pattern[p] === char || (isOne && pattern[p] === "?" && !isWall(char)))) {
      p++;
      t++;
    } else if (star !== -1 && !isWall(text[from] ?? "")) {
      p = star + 1;
      t = ++from;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
