/** How two spellings of the same lines are indented: what starts with `from` in one starts with `to` in the other. */
export interface Indentation {
  readonly from: string;
  readonly to: string;
}

/**
 * How lines that a model wrote are indented in the file. Undefined if that is not the same for all of them: then nothing says how another
 * line should be indented.
 */
export function indentationOf(pairs: readonly (readonly [written: string, inFile: string])[]): Indentation | undefined {
  const solid = pairs
    .filter(([written]) => written.trim() !== "")
    .map(([written, inFile]) => [indentOf(written), indentOf(inFile)] as const);
  const least = solid.reduce<readonly [string, string] | undefined>(
    (min, pair) => (min && min[0].length <= pair[0].length ? min : pair),
    undefined,
  );
  if (least === undefined) return { from: "", to: "" };
  const [from, to] = least;
  const isSame = solid.every(([written, inFile]) => written.startsWith(from) && inFile === to + written.slice(from.length));
  return isSame ? { from, to } : undefined;
}

/** Undefined if the line is indented less than any line of the pairs. */
export function indented(line: string, { from, to }: Indentation): string | undefined {
  if (line.trim() === "") return line;
  return line.startsWith(from) ? to + line.slice(from.length) : undefined;
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}
