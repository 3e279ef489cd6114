/** Where a shell begins something else: another command, a redirection, a substitution. */
const ELSEWHERE = /[;&|<>()`$\n\r]/;

/**
 * Whether a text is like a pattern: `*` is any characters, `?` is one, upper and lower case are the same. `within` keeps both from
 * standing for what separates commands, so that `git *` is not like `git log; rm -r .`; a pattern that is only `*` is like everything.
 */
export function isLike(text: string, pattern: string, { within = false }: { readonly within?: boolean } = {}): boolean {
  const wanted = pattern.trim().toLowerCase();
  return matches(text.trim().toLowerCase(), wanted, (char) => within && wanted !== "*" && ELSEWHERE.test(char));
}

/** The parts of a command line that a shell would take apart, for a rule about any of them. */
export function partsOf(command: string): readonly string[] {
  return command.split(new RegExp(`${ELSEWHERE.source}+`)).filter((part) => part.trim() !== "");
}

/** Goes back to the last star only: no pattern takes more than the product of both lengths. */
function matches(text: string, pattern: string, isWall: (char: string) => boolean): boolean {
  let t = 0;
  let p = 0;
  let star = -1;
  let from = 0;
  for (let char = text[t]; char !== undefined; char = text[t]) {
    if (pattern[p] === "*") {
      star = p++;
      from = t;
    } else if (p < pattern.length && (pattern[p] === char || (pattern[p] === "?" && !isWall(char)))) {
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
