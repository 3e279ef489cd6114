import { OutsideError } from "../workspace-place.ts";
import { closest, LIKENESSES, placesOf } from "./find-lines.ts";
import { indentationOf, indented } from "./indentation.ts";
import { type Line, linesOf, usualEnd } from "./text-file.ts";

export interface Passage {
  readonly before: string;
  readonly after: string;
  readonly isAll: boolean;
}

export interface Replaced {
  readonly lines: readonly Line[];
  /** The first line of each replacement, in the new file. */
  readonly at: readonly number[];
  /** It matched only without regard to whitespace. */
  readonly isLoose: boolean;
}

/**
 * Replaces a passage that occurs once, or every occurrence. Line ends do not matter for the match, and each line keeps its own. If the
 * passage occurs nowhere, whole lines that differ only in whitespace are it, if that is a single place. Throws a sentence otherwise.
 */
export function replacePassage(lines: readonly Line[], { before: asked, after: wanted, isAll }: Passage, path: string): Replaced {
  const [before, after] = [asked.replaceAll("\r\n", "\n"), wanted.replaceAll("\r\n", "\n")];
  if (before === after) throw new OutsideError("`before` and `after` are the same: nothing would change.");
  const text = lines.map((line) => line.text + (line.end === "" ? "" : "\n")).join("");
  const found = occurrences(text, before, isAll);
  if (found.length > 1 && !isAll)
    throw new OutsideError(
      tooMany(
        found.map((at) => lineAt(text, at)),
        path,
      ),
    );
  if (found.length > 0)
    return spliced(
      lines,
      text,
      found.map((at) => ({ at, size: before.length, after })),
    );
  return { ...spliced(lines, text, [looselyFound(lines, before, after, path)]), isLoose: true };
}

/** Also those that overlap, unless all of them are replaced. */
function occurrences(text: string, passage: string, isAll: boolean): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(passage); at !== -1; at = text.indexOf(passage, at + (isAll ? passage.length : 1))) found.push(at);
  return found;
}

interface Splice {
  readonly at: number;
  readonly size: number;
  readonly after: string;
}

/** New lines end like the lines they replace, then like the line in which the passage ends. */
function spliced(lines: readonly Line[], text: string, splices: readonly Splice[]): Replaced {
  const usual = usualEnd(lines);
  const ends = lines.map(({ end }) => end);
  const pieces: string[] = [];
  const at: number[] = [];
  let from = 0;
  let line = 0; // of the old text at `from`
  let made = 1; // of the new text
  const copy = (to: number) => {
    const [piece, count] = withEnds(text.slice(from, to), ends, line, usual);
    pieces.push(piece);
    line += count;
    made += count;
  };
  for (const splice of splices) {
    copy(splice.at);
    at.push(made);
    const covered = text.slice(splice.at, splice.at + splice.size).split("\n").length - 1;
    const near = ends.slice(line, line + covered + 1);
    const [piece, count] = withEnds(splice.after, near, 0, near.findLast((end) => end !== "") || usual);
    pieces.push(piece);
    line += covered;
    made += count;
    from = splice.at + splice.size;
  }
  copy(text.length);
  return { lines: linesOf(pieces.join("")), at, isLoose: false };
}

/** Gives each newline the end of its line. */
function withEnds(text: string, ends: readonly string[], first: number, usual: string): readonly [text: string, lines: number] {
  const parts = text.split("\n");
  const last = parts.length - 1;
  return [parts.map((part, index) => (index === last ? part : part + (ends[first + index] || usual))).join(""), last];
}

/** Whole lines that are the passage except for whitespace. */
function looselyFound(lines: readonly Line[], before: string, after: string, path: string): Splice {
  const wanted = before.split("\n");
  const hasEnd = wanted.length > 1 && wanted.at(-1) === "";
  if (hasEnd) wanted.pop();
  for (const likeness of LIKENESSES) {
    const places = wanted.every((line) => line.trim() === "") ? [] : placesOf(lines, wanted, likeness);
    if (places.length > 1)
      throw new OutsideError(
        tooMany(
          places.map((at) => at + 1),
          path,
        ),
      );
    const [at] = places;
    if (at === undefined) continue;
    const covered = lines.slice(at, at + wanted.length);
    const text = likeness === "whitespace" ? reindented(wanted, covered, after, path) : after;
    const isOpen = covered.at(-1)?.end === ""; // the file has no final newline, and gets none
    const size = lengthOf(covered) - (hasEnd || isOpen ? 0 : 1);
    return { at: lengthOf(lines.slice(0, at)), size, after: hasEnd && isOpen ? text.replace(/\n$/, "") : text };
  }
  const hint = closest(lines, wanted) ?? "Read the file again and repeat the passage exactly.";
  throw new OutsideError(`${path} does not contain this passage. ${hint}`);
}

function reindented(wanted: readonly string[], covered: readonly Line[], after: string, path: string): string {
  const fits = indentationOf(wanted.map((text, index) => [text, covered[index]?.text ?? ""]));
  const made = after.split("\n").map((line) => (line.trim() === "" ? line : fits && indented(line, fits)));
  if (made.includes(undefined))
    throw new OutsideError(`${path} contains this passage only with a different indentation. Read the file again and repeat it exactly.`);
  return made.join("\n");
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text, end }) => sum + text.length + (end === "" ? 0 : 1), 0);
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

function tooMany(found: readonly number[], path: string): string {
  const shown = found.slice(0, 5).join(", ");
  return `${path} contains this passage ${found.length} times (lines ${shown}${found.length > 5 ? ", …" : ""}). Include more of the surrounding text, or set all.`;
}
