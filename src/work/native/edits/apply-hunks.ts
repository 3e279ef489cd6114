import { closest, LIKENESSES, type Likeness, placesOf } from "./find-lines.ts";
import { indentationOf, indented } from "./indentation.ts";
import type { Hunk } from "./parse-patch.ts";
import { type Line, usualEnd } from "./text-file.ts";

/** What one hunk did. */
export interface HunkChange {
  /** The first changed line, in the new file. */
  readonly line: number;
  readonly added: number;
  readonly removed: number;
  /** It matched only without regard to whitespace. */
  readonly isLoose: boolean;
}

interface Fit {
  readonly at: number;
  readonly likeness: Likeness;
}

/**
 * Applies hunks to one state of a file. Each must fit, and there must be exactly one way to place them: in their order, or anywhere if each
 * fits in one place only. Throws a sentence for the model otherwise. Lines that a hunk does not change keep every byte.
 */
export function applyHunks(
  lines: readonly Line[],
  hunks: readonly Hunk[],
  path: string,
): { readonly lines: readonly Line[]; readonly changes: readonly HunkChange[] } {
  const placed = placements(lines, hunks, path);
  const usual = usualEnd(lines);
  const result: Line[] = [];
  const changes: HunkChange[] = [];
  let from = 0;
  for (const { hunk, fit } of placed) {
    result.push(...lines.slice(from, fit.at));
    const made = replaced(lines, hunk, fit, path, usual);
    const first = hunk.lines.findIndex(({ sign }) => sign !== " ");
    if (first !== -1)
      changes.push({
        line: result.length + first + 1,
        added: hunk.lines.filter(({ sign }) => sign === "+").length,
        removed: hunk.lines.filter(({ sign }) => sign === "-").length,
        isLoose: fit.likeness !== "exact",
      });
    result.push(...made);
    from = fit.at + oldOf(hunk).length;
  }
  result.push(...lines.slice(from));
  return { lines: withEnds(result, usual, lines.at(-1)?.end !== ""), changes };
}

function oldOf({ lines }: Hunk): readonly string[] {
  return lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
}

/** Only the last line may have no end, and only if the old file had none. */
function withEnds(lines: readonly Line[], usual: "\n" | "\r\n", hasFinalEnd: boolean): readonly Line[] {
  return lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    if (isLast && !hasFinalEnd) return { ...line, end: "" };
    return line.end === "" ? { ...line, end: usual } : line;
  });
}

function replaced(lines: readonly Line[], hunk: Hunk, { at, likeness }: Fit, path: string, usual: "\n" | "\r\n"): readonly Line[] {
  const old = oldOf(hunk);
  const fits = indentationOf(old.map((text, index) => [text, lines[at + index]?.text ?? ""]));
  let next = at;
  return hunk.lines.flatMap(({ sign, text }): Line[] => {
    if (sign === " ") return [lines[next++] as Line];
    if (sign === "-") {
      next++;
      return [];
    }
    const end = (lines[Math.max(at, next - 1)] ?? lines[at - 1])?.end || usual;
    if (likeness !== "whitespace") return [{ text, end }];
    const own = fits && indented(text, fits);
    if (own === undefined)
      throw new Error(`${path}: the lines match only with a different indentation. Read the file again, and repeat its lines exactly.`);
    return [{ text: own, end }];
  });
}

// ── where ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Placements in order form a lattice: if the first way from above equals the first way from below, it is the only one. */
function placements(lines: readonly Line[], hunks: readonly Hunk[], path: string): readonly { readonly hunk: Hunk; readonly fit: Fit }[] {
  const all = hunks.map((hunk) => ({ hunk, size: oldOf(hunk).length, fits: fitsOf(lines, hunk, path) }));
  const down = earliest(all);
  if (down === undefined) return outOfOrder(all, path);
  const up = latest(all);
  const unsure = down.findIndex((fit, index) => fit.at !== up[index]?.at);
  if (unsure !== -1) throw new Error(ambiguous(all[unsure]?.hunk as Hunk, all[unsure]?.fits ?? [], path));
  return all.map(({ hunk }, index) => ({ hunk, fit: down[index] as Fit }));
}

type Candidate = { readonly hunk: Hunk; readonly size: number; readonly fits: readonly Fit[] };

function earliest(all: readonly Candidate[]): readonly Fit[] | undefined {
  let from = 0;
  const chosen: Fit[] = [];
  for (const { fits, size } of all) {
    const fit = fits.find(({ at }) => at >= from);
    if (fit === undefined) return undefined;
    chosen.push(fit);
    from = fit.at + size;
  }
  return chosen;
}

function latest(all: readonly Candidate[]): readonly (Fit | undefined)[] {
  let before = Number.POSITIVE_INFINITY;
  return [...all]
    .reverse()
    .map(({ fits, size }) => {
      const fit = fits.findLast(({ at }) => at + size <= before);
      before = fit?.at ?? before;
      return fit;
    })
    .reverse();
}

function outOfOrder(all: readonly Candidate[], path: string): readonly { readonly hunk: Hunk; readonly fit: Fit }[] {
  const sorted = all
    .map(({ hunk, size, fits }) => ({ hunk, size, fit: fits[0] as Fit, isOne: fits.length === 1 }))
    .sort((a, b) => a.fit.at - b.fit.at);
  const isClear = sorted.every(({ fit, isOne }, index) => {
    const before = sorted[index - 1];
    return isOne && (before === undefined || before.fit.at + before.size <= fit.at);
  });
  if (!isClear)
    throw new Error(
      `${path}: the hunks overlap, or are not in the order of the file. Each one applies to the file as it is before the patch.`,
    );
  return sorted;
}

/** The places at which a hunk fits, at the strongest likeness that fits anywhere. With anchors: the nearest place at or below them. */
function fitsOf(lines: readonly Line[], hunk: Hunk, path: string): readonly Fit[] {
  const old = oldOf(hunk);
  const starts = hunk.anchors.length === 0 ? undefined : anchorsIn(lines, hunk.anchors, path);
  if (old.length === 0) {
    if (hunk.isAtEnd || starts === undefined) return [{ at: lines.length, likeness: "exact" }];
    return starts.map((at) => ({ at: at + 1, likeness: "exact" }));
  }
  for (const likeness of LIKENESSES) {
    const everywhere = placesOf(lines, old, likeness).filter((at) => !hunk.isAtEnd || at + old.length === lines.length);
    const found = starts === undefined ? everywhere : starts.flatMap((start) => everywhere.find((at) => at >= start) ?? []);
    if (found.length > 0) return [...new Set(found)].map((at) => ({ at, likeness }));
  }
  throw new Error(missing(lines, old, hunk, path));
}

/** The places of the last anchor: below each place of the first one, the nearest of the next. */
function anchorsIn(lines: readonly Line[], anchors: readonly string[], path: string): readonly number[] {
  let starts: readonly number[] | undefined;
  for (const anchor of anchors) {
    const places = placesOf(lines, [anchor], "whitespace"); // models leave its indentation out
    const above = starts;
    starts = above === undefined ? places : [...new Set(above.flatMap((start) => places.find((at) => at > start) ?? []))];
    if (starts.length === 0)
      throw new Error(
        `${path} has no line ${JSON.stringify(anchor.slice(0, 200))}${above === undefined ? "" : " below the anchor before it"}. An anchor (@@) is one whole line of the file.`,
      );
  }
  return starts ?? [];
}

function missing(lines: readonly Line[], old: readonly string[], hunk: Hunk, path: string): string {
  const where = hunk.isAtEnd
    ? " at its end"
    : hunk.anchors.length > 0
      ? ` below ${JSON.stringify(hunk.anchors.at(-1)?.slice(0, 200))}`
      : "";
  const hint = closest(lines, old);
  const shown = JSON.stringify(old.slice(0, 5).join("\n").slice(0, 500));
  return `${path} does not contain these lines${where}: ${shown}. ${hint ?? "Read the file again, and repeat its lines exactly."}`;
}

function ambiguous(hunk: Hunk, fits: readonly Fit[], path: string): string {
  const places = fits.slice(0, 5).map(({ at }) => at + 1);
  const more = fits.length > places.length ? ", …" : "";
  return `${path}: ${JSON.stringify(oldOf(hunk).slice(0, 3).join("\n").slice(0, 200))} fits in ${fits.length} places (lines ${places.join(", ")}${more}). Add lines around it, or name a line above it with @@.`;
}
