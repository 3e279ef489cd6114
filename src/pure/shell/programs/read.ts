import type { Argument } from "../argument.ts";
import { type Call, type Effect, effectOf, fileOperands, type Reader } from "../call.ts";
import { locate } from "../directory.ts";
import { ALL_LINES, type Lines, readOf } from "../lines.ts";
import { hasOption, type OptionTable, optionTable, type ParsedOptions, parseOptions, valuesOf } from "../options.ts";

/** One read per file. Without files: the target of `<`, or the pipe or here-document. */
export function readFiles(call: Call, operands: readonly Argument[], lines: Lines | undefined): Effect | undefined {
  const files = fileOperands(operands);
  if (files === undefined) return undefined;
  if (operands.length > 0) {
    if (call.piped || call.input !== undefined) return undefined;
    const reads = files.map((file) => readOf(locate(file, call.directory), lines));
    return effectOf(reads, files.length === 1 && !files[0]?.splits ? lines : undefined);
  }
  if (call.input === undefined || "text" in call.input) return call.piped && call.input ? undefined : effectOf([], lines);
  return call.piped ? undefined : effectOf([readOf(locate(call.input.file, call.directory), lines)], lines);
}

function reader(table: OptionTable, linesOf: (parsed: ParsedOptions) => Lines | undefined): Reader {
  return (call) => {
    const parsed = parseOptions(call.args, table);
    // `tail +5`, `less +G`: an old option syntax, never a file.
    if (parsed === undefined || parsed.operands.some(({ value }) => value.startsWith("+"))) return undefined;
    return readFiles(call, parsed.operands, linesOf(parsed));
  };
}

const allLines = () => ALL_LINES;
const someLines = () => undefined;

export const cat = reader(
  optionTable({
    flags: "A b e E n s t T u v show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
  }),
  // With -s the line numbers no longer match the file.
  (parsed) => (hasOption(parsed, "s", "squeeze-blank") ? undefined : ALL_LINES),
);

export const tac = reader(optionTable({ values: "s separator", flags: "b r before regex" }), someLines);

export const nl = reader(
  optionTable({
    values:
      "b d f h i l n s v w body-numbering section-delimiter footer-numbering header-numbering line-increment join-blank-lines " +
      "number-format number-separator starting-line-number number-width",
    flags: "p no-renumber",
  }),
  allLines,
);

/** less and more run commands and keep logs under some options; these options only change the display. */
export const pager = reader(optionTable({ flags: "E F I K M N R S X e g i m n q r s" }), allLines);

const COUNTED = { values: "n lines c bytes", flags: "q v quiet silent verbose #" };

export const head = reader(optionTable(COUNTED), (parsed) => {
  const asked = asksFor(parsed);
  if (asked === undefined) return { first: 1, last: 10 };
  return /^[1-9]\d*$/.test(asked) ? { first: 1, last: Number(asked) } : undefined;
});

/** Not with -f: following a file is a running command, not a read. */
export const tail = reader(optionTable(COUNTED), (parsed) => {
  const asked = asksFor(parsed);
  return asked !== undefined && /^\+[1-9]\d*$/.test(asked) ? { first: Number(asked) } : undefined;
});

/** The last count given; bytes do not count lines. */
function asksFor(parsed: ParsedOptions): string | undefined {
  const last = parsed.options.findLast(({ value }) => value !== undefined);
  return last?.name === "c" || last?.name === "bytes" ? "bytes" : last?.value?.value;
}

export const bat = reader(
  optionTable({
    values:
      "r line-range l language H highlight-line m map-syntax style theme color paging tabs wrap terminal-width file-name " +
      "decorations italic-text",
    flags: "p plain n number A show-all P f force-colorization u unbuffered S chop-long-lines s squeeze-blank",
  }),
  (parsed) => {
    const ranges = valuesOf(parsed, "r", "line-range");
    if (ranges.length === 0) return ALL_LINES;
    const match = /^(\d+)?(?:(:)(\d+)?)?$/.exec(ranges.length === 1 ? (ranges[0]?.value ?? "") : "");
    if (match === null || match[0] === "" || match[1] === "0") return undefined;
    const first = Number(match[1] ?? 1);
    if (match[2] === undefined) return { first, last: first };
    return match[3] === undefined ? { first } : { first, last: Number(match[3]) };
  },
);
