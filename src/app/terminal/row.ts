import colors from "picocolors";
import { clip, columnsOf, wrap } from "../../pure/base/index.ts";

/** Room for the longest type name of the activity view. */
const LABEL = 13;
const INDENT = LABEL + 3;
const NARROWEST = 50;

export interface Row {
  readonly label: string;
  readonly color: (text: string) => string;
  /** One character: ✓, ✗ or nothing to say. */
  readonly mark?: string;
  readonly text: string;
  /** What matters less, after the text. */
  readonly note?: string;
  /** All of the text, over as many lines as it takes; otherwise one line of it. */
  readonly whole?: boolean;
  /** The work of a subagent stands behind a bar. */
  readonly nested?: boolean;
}

/** One record for people: `label ✓ text note`. Text and note may be hostile; label and mark are ours. */
export function row({ label, color, mark = " ", text, note = "", whole = false, nested = false }: Row): string {
  const bar = nested ? colors.dim("│ ") : "";
  const room = terminalWidth() - INDENT - (nested ? 2 : 0);
  const tail = note === "" ? "" : clip(`  ${note}`, room >> 1);
  const lines = whole ? wrap(text, room) : [clip(text, room - columnsOf(tail))];
  const head = `${bar}${color(label.padEnd(LABEL))} ${mark} `;
  const rest = `\n${bar}${" ".repeat(INDENT)}`;
  return `${head}${lines.join(rest)}${tail === "" ? "" : colors.dim(tail)}\n`;
}

export function verdict(success: boolean | null | undefined): string {
  if (success === true) return colors.green("✓");
  return success === false ? colors.red("✗") : " ";
}

/** `#12 at 3456+78`: what `--refs` adds. */
export function refsNote({ seq, offset, length }: { seq?: number; offset?: number; length?: number }): string {
  if (seq === undefined) return "";
  return offset === undefined ? `#${seq}` : `#${seq} at ${offset}+${length}`;
}

/** Several notes as one. */
export function notes(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(" · ");
}

/** A terminal that does not tell, or says 0, gets the usual width. */
export function terminalWidth(): number {
  return Math.max(NARROWEST, process.stdout.columns || 80);
}
