import type { Call, Effect } from "../call.ts";
import { ALL_LINES, type Lines } from "../lines.ts";
import { hasOption, optionTable, parseOptions, valuesOf } from "../options.ts";
import { readFiles } from "./read.ts";

const SED = optionTable({
  values: "e expression",
  flags: "n quiet silent E r regexp-extended s separate u unbuffered",
});

/** Only a sed that prints lines and does nothing else: `sed -n '10,20p' path`. */
export function sed(call: Call): Effect | undefined {
  const parsed = parseOptions(call.args, SED);
  if (parsed === undefined || !hasOption(parsed, "n", "quiet", "silent")) return undefined;
  const scripts = valuesOf(parsed, "e", "expression");
  const files = scripts.length > 0 ? parsed.operands : parsed.operands.slice(1);
  if (scripts.length === 0 && parsed.operands[0] !== undefined) scripts.push(parsed.operands[0]);
  // "$p" in double quotes is a variable, not the last line.
  if (scripts.some((script) => script.variable)) return undefined;
  const printed = readScript(scripts.map(({ value }) => value).join("\n"));
  if (printed === undefined) return undefined;
  // sed numbers lines across all its files, so with several files the numbers fit none of them.
  return readFiles(call, files, files.length > 1 ? undefined : printed.lines);
}

const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)+/I?)`;
const PRINT = new RegExp(String.raw`^(?:(${ADDRESS})(?:\s*,\s*(${ADDRESS}|\+\d+))?)?\s*p$`);
const QUIT = new RegExp(`^(${ADDRESS})\\s*q$`);

/** The lines a script prints, if it only prints and perhaps quits early. No `lines`: some lines, but not one known range. */
function readScript(script: string): { lines?: Lines } | undefined {
  let lines: Lines | undefined;
  let contiguous = true;
  let prints = 0;
  let quitsAt = Number.POSITIVE_INFINITY;
  for (const command of script.split(/[;\n]/)) {
    const text = command.trim();
    if (text === "") continue;
    const quit = QUIT.exec(text);
    if (quit !== null) {
      quitsAt = Math.min(quitsAt, Number(quit[1]));
      continue;
    }
    const match = PRINT.exec(text);
    if (match === null) return undefined;
    const printed = rangeOf(match[1], match[2]);
    const follows = prints === 0 || (lines?.last !== undefined && printed?.first === lines.last + 1);
    contiguous &&= printed !== undefined && follows;
    if (printed !== undefined) lines = lines === undefined ? printed : { ...printed, first: lines.first };
    prints++;
  }
  if (prints === 0) return undefined;
  // `10,20p;20q` only stops early. Quitting inside the range, or at a pattern instead of a number, cuts it at an unknown line.
  const isCut = Number.isNaN(quitsAt) || (lines?.last ?? Number.POSITIVE_INFINITY) > quitsAt;
  return contiguous && !isCut && lines !== undefined ? { lines } : {};
}

function rangeOf(from: string | undefined, to: string | undefined): Lines | undefined {
  if (from === undefined) return ALL_LINES;
  const first = Number(from);
  if (!(first > 0)) return undefined;
  if (to === undefined) return { first, last: first };
  if (to === "$") return { first };
  const last = to.startsWith("+") ? first + Number(to) : Number(to);
  if (Number.isNaN(last)) return { first };
  // `20,10p` prints line 20.
  return { first, last: Math.max(first, last) };
}
