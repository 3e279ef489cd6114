import { type Effect, effectOf, type Reader } from "../call.ts";
import { ALL_LINES, type Lines } from "../lines.ts";
import { type OptionTable, optionTable, parseOptions } from "../options.ts";

/**
 * A program that only reshapes piped input. At the start of a pipeline it is not a known file operation, and with a file operand it no
 * longer reads the pipe. Every option is listed, because some write files: `sort -o`.
 */
function filter(table: OptionTable, maxOperands: number, lines?: Lines): Reader {
  return (call): Effect | undefined => {
    if (!call.piped || call.input !== undefined) return undefined;
    const parsed = parseOptions(call.args, table);
    return parsed !== undefined && parsed.operands.length <= maxOperands ? effectOf([], lines) : undefined;
  };
}

export const wc = filter(optionTable({ flags: "c m l L w bytes chars lines max-line-length words" }), 0);

export const sort = filter(
  optionTable({
    values: "k t S T key field-separator buffer-size temporary-directory parallel sort",
    flags:
      "b d f g i M h n R r V s u z ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting " +
      "month-sort human-numeric-sort numeric-sort random-sort reverse version-sort stable unique zero-terminated",
  }),
  0,
);

export const uniq = filter(
  optionTable({
    values: "f s w skip-fields skip-chars check-chars",
    flags: "c d D i u z count repeated all-repeated ignore-case unique zero-terminated group",
  }),
  0,
);

export const cut = filter(
  optionTable({
    values: "b c d f bytes characters delimiter fields output-delimiter",
    flags: "n s z complement only-delimited zero-terminated",
  }),
  0,
  ALL_LINES,
);

/** Its two operands are sets of characters, not files. */
export const tr = filter(optionTable({ flags: "c C d s t complement delete squeeze-repeats truncate-set1" }), 2);
