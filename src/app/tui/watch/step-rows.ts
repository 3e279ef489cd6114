import { wrap } from "../../../pure/base/index.ts";
import { colors } from "../../terminal/index.ts";
import type { Step } from "./step-window.ts";
import type { OpenRun } from "./watch-state.ts";

const cache = new WeakMap<Step, { readonly width: number; readonly rows: readonly string[] }>();

/** The rows of a step, with its details if it is open. */
export function stepRows(step: Step, { expanded, window }: OpenRun): readonly string[] {
  return expanded.has(step.seq) ? openRows(step, window.width) : step.rows;
}

/** Cached with the step, because a screen is drawn many times. */
function openRows(step: Step, width: number): readonly string[] {
  const known = cache.get(step);
  if (known?.width === width) return known.rows;
  const rows = [...step.rows, ...step.details.flatMap(({ label, text }) => detailRows(label, text, width))];
  cache.set(step, { width, rows });
  return rows;
}

function detailRows(label: string, text: string, width: number): readonly string[] {
  const bar = colors.dim("  ┊ ");
  const rows = text.trim() === "" ? [colors.dim("(empty)")] : wrap(text, Math.max(8, width - 6));
  if (rows.length === 1 && label.length + 2 + (rows[0]?.length ?? 0) <= width - 4) return [`${bar}${colors.dim(label)}  ${rows[0]}`];
  return [`${bar}${colors.dim(label)}`, ...rows.map((row) => `${bar}  ${row}`.trimEnd())];
}
