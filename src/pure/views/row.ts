import { clip, columnsOf, wrap } from "../base/index.ts";

export type Color = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

export interface Terminal {
  /** In columns. */
  readonly width: number;
  readonly colors: Readonly<Record<Color, (text: string) => string>>;
}

/** Wide enough for the longest type name of the activity view. */
const LABEL = 13;
const INDENT = LABEL + 3;

/** One character: ✓, ✗ or another. */
type Mark = readonly [character: string, color?: Color];

export interface Row {
  readonly label: string;
  readonly color: Color;
  readonly mark?: Mark;
  readonly text: string;
  /** Less important text after the main text. */
  readonly note?: string;
  /** Show the whole text on as many lines as needed; otherwise one line. */
  readonly whole?: boolean;
  /** A subagent's work is shown behind a bar. */
  readonly nested?: boolean;
}

/** One record for people: `label ✓ text note`. Text and note may be hostile; label and mark are ours. */
export function row({ label, color, mark, text, note = "", whole = false, nested = false }: Row, { width, colors }: Terminal): string {
  const bar = nested ? colors.dim("│ ") : "";
  const room = width - INDENT - (nested ? 2 : 0);
  const tail = note === "" ? "" : clip(`  ${note}`, room >> 1);
  const lines = whole ? wrap(text, room) : [clip(text, room - columnsOf(tail))];
  const [character, paint] = mark ?? [" "];
  const head = `${bar}${colors[color](label.padEnd(LABEL))} ${paint === undefined ? character : colors[paint](character)} `;
  const rest = `\n${bar}${" ".repeat(INDENT)}`;
  return `${head}${lines.join(rest)}${tail === "" ? "" : colors.dim(tail)}\n`;
}

export function verdict(success: boolean | null | undefined): Mark {
  if (success === true) return ["✓", "green"];
  return success === false ? ["✗", "red"] : [" "];
}

/** `#12 at 3456+78`: what `--refs` adds. */
export function refsNote({ seq, offset, length }: { seq?: number; offset?: number; length?: number }): string {
  if (seq === undefined) return "";
  return offset === undefined ? `#${seq}` : `#${seq} at ${offset}+${length}`;
}
