import { randomBytes } from "node:crypto";
import { isColorSupported } from "picocolors";
import { masked, type SafeText } from "../../host/sink/index.ts";
import { printableJson } from "../../pure/base/index.ts";

/**
 * Stands for the escape character in our own sequences until they reach the sink. It is new in every process, so text from an agent, a
 * file or a setting cannot contain it.
 */
const OURS = `\x1b${randomBytes(12).toString("base64url")}`;
const SEQUENCE = /^(?:\r|\[[?\d;]*[A-Za-z])/;

/** Colors in our rows. */
export const SGR = `${OURS}\\[[\\d;]*m`;

/** One of our control sequences: `[K` erases a line, `\r` returns to its start. */
export function sequence(body: string): string {
  return `${OURS}${body}`;
}

/** What is written: our sequences become real ones. On a terminal, all other control and invisible characters become JSON's escapes. */
export function rendered(text: SafeText, onTerminal: boolean): SafeText {
  const [first = "", ...rest] = text.split(OURS);
  const safe = onTerminal ? printableJson : (piece: string) => piece;
  const shown = rest.reduce((out, piece) => {
    const [body = ""] = SEQUENCE.exec(piece) ?? [];
    return `${out}${body.startsWith("[") ? "\x1b" : ""}${body}${safe(piece.slice(body.length))}`;
  }, safe(first));
  return masked(shown);
}

type Paint = (text: string) => string;

export const colors = {
  bold: paint("1", "22"),
  dim: paint("2", "22"),
  red: paint("31", "39"),
  green: paint("32", "39"),
  yellow: paint("33", "39"),
  blue: paint("34", "39"),
  magenta: paint("35", "39"),
  cyan: paint("36", "39"),
};

/** Inside a painted text, the end of another one starts this color again. */
function paint(open: string, close: string): Paint {
  if (!isColorSupported) return String;
  const [begin, end] = [sequence(`[${open}m`), sequence(`[${close}m`)];
  return (text) => `${begin}${text.replaceAll(end, `${end}${begin}`)}${end}`;
}
