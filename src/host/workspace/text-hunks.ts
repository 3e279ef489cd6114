import { lineDiff, type Region } from "../../pure/base/index.ts";
import { linesOf } from "./similarity.ts";

const CONTEXT = 3;
const UNFINISHED = "\n\\ No newline at end of file\n";

/** The hunks of a unified diff, one character per byte. */
export function textHunks(before: Buffer, after: Buffer): string {
  const a = linesOf(before);
  const b = linesOf(after);
  return grouped(lineDiff(a, b))
    .map((regions) => hunk(a, b, regions))
    .join("");
}

/** Regions with touching context share a hunk. */
function grouped(regions: readonly Region[]): Region[][] {
  const groups: Region[][] = [];
  for (const region of regions) {
    const last = groups.at(-1);
    const previous = last?.at(-1);
    if (last !== undefined && previous !== undefined && region.a - previous.aEnd <= 2 * CONTEXT) last.push(region);
    else groups.push([region]);
  }
  return groups;
}

function hunk(a: readonly string[], b: readonly string[], regions: readonly Region[]): string {
  const first = regions[0] as Region;
  const last = regions.at(-1) as Region;
  const lead = Math.min(CONTEXT, first.a);
  const trail = Math.min(CONTEXT, a.length - last.aEnd);
  const body: string[] = [];
  let position = first.a - lead;
  for (const region of regions) {
    body.push(...a.slice(position, region.a).map((line) => written(" ", line)));
    body.push(...a.slice(region.a, region.aEnd).map((line) => written("-", line)));
    body.push(...b.slice(region.b, region.bEnd).map((line) => written("+", line)));
    position = region.aEnd;
  }
  body.push(...a.slice(position, position + trail).map((line) => written(" ", line)));
  return `@@ -${range(first.a - lead, last.aEnd + trail)} +${range(first.b - lead, last.bEnd + trail)} @@\n${body.join("")}`;
}

function written(sign: string, line: string): string {
  return line.endsWith("\n") ? sign + line : sign + line + UNFINISHED;
}

/** Lines count from 1; an empty range names the line before it. */
function range(start: number, end: number): string {
  const count = end - start;
  const from = count === 0 ? start : start + 1;
  return count === 1 ? `${from}` : `${from},${count}`;
}
