import type { Operation } from "../../events/index.ts";
import type { Argument } from "../argument.ts";
import { type Call, type Effect, effectOf, fileOperands, type Reader } from "../call.ts";
import { locate } from "../directory.ts";
import { type OptionTable, optionTable, parseOptions } from "../options.ts";

/** One listing per path; without a path, of the shell's directory. */
export function listPaths(call: Call, operands: readonly Argument[]): Effect | undefined {
  const paths = fileOperands(operands);
  if (paths === undefined || call.piped || call.input !== undefined) return undefined;
  if (operands.length === 0) return effectOf([listOf(call.directory ?? undefined)]);
  return effectOf(paths.map((path) => listOf(locate(path, call.directory))));
}

function listOf(path: string | undefined): Operation {
  return path === undefined ? { kind: "list" } : { kind: "list", path };
}

function lister(table: OptionTable): Reader {
  return (call) => {
    const parsed = parseOptions(call.args, table);
    return parsed && listPaths(call, parsed.operands);
  };
}

export const ls = lister(
  optionTable({
    values: "I ignore hide block-size format indicator-style quoting-style sort time time-style",
    counts: "T w tabsize width",
  }),
);

/** `tree -o` writes a file, `--fromfile` reads a listing from a file. */
export const tree = lister(
  optionTable({ values: "I P H T charset sort timefmt", counts: "L filelimit", refused: "o fromfile fromtabfile R" }),
);

export const eza = lister(optionTable({ values: "I s t ignore-glob sort time time-style color colour icons", counts: "L w level width" }));
