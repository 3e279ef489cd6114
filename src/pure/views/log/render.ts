import { clip } from "../../base/index.ts";
import type { LogRecord } from "../../events/index.ts";
import type { Refs } from "../refs.ts";
import type { Color, Terminal } from "../row.ts";

const NUMBER = 6;
/** Wide enough for `permission-decision`. */
const TYPE = 20;

/** Number, type and fields on one line: `    12 tool-start  callId=… tool=Bash`. */
export function renderLog(event: LogRecord & Pick<Partial<Refs>, "stream" | "offset" | "length">, { width, colors }: Terminal): string {
  const { seq, at: _at, from: _from, provenance, type, parent, offset, length, stream: _stream, ...fields } = event;
  const bar = parent === undefined ? "" : colors.dim("│ ");
  const room = width - NUMBER - TYPE - 2 - (parent === undefined ? 0 : 2);
  const where = offset === undefined ? {} : { offset, length };
  const who = provenance === "declared" ? {} : { provenance };
  const shownFields = Object.entries({ ...fields, ...who, ...where }).filter(([, value]) => value !== undefined);
  const text = shownFields.map(([name, value]) => `${name}=${shown(value)}`);
  return `${bar}${colors.dim(String(seq).padStart(NUMBER))} ${colors[colorOf(type)](type.padEnd(TYPE))} ${clip(text.join(" "), room)}\n`;
}

function shown(value: unknown): string {
  const plain = typeof value === "string" && /^\S+$/.test(value);
  return plain ? value : (JSON.stringify(value) ?? "undefined");
}

function colorOf(type: string): Color {
  if (type === "error") return "red";
  if (type === "warning") return "yellow";
  if (type === "unknown") return "dim";
  if (type.startsWith("tool")) return "cyan";
  return type.startsWith("run") || type.startsWith("subagent") ? "green" : "bold";
}
