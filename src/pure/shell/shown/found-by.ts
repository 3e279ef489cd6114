import type { Command, Word } from "unbash";
import type { Argument } from "../argument.ts";
import { isKnown, plain } from "./arguments.ts";
import { findsIn } from "./searches.ts";
import type { Called } from "./start.ts";

/** Filters that keep whole lines, and their options with which they do. */
const FILTERS = /^(?:head|tail|sort|uniq|grep|egrep|fgrep)$/;
const KEEPS = /^-(?:n|\d+|[vEFiruzVq]+|n\d+)$/;

/** The names of files that a program prints, one per line, if the text shows which they can be. */
export function foundBy({ name, args }: Command, input: Called["input"], words: (word: Word) => readonly Argument[]): Called["input"] {
  const given = args.flatMap((word) => (word.type === "Word" ? words(word) : [{ ...plain(word.text), variable: true }]));
  const values = given.map(({ value }) => value);
  if (!given.every((each) => isKnown(each) || (!each.variable && !each.runs))) return "unknown";
  if (name?.text === "find" && !values.some((value) => /^-(?:exec|ok|printf|fprint|ls)/.test(value)))
    return { found: { ...findsIn(given), split: !values.includes("-print0") || values.includes("-print") } };
  const everything = { found: { starts: [plain(".")], follows: true, split: true } };
  if (name?.text === "git" && values[0] === "ls-files" && values.length === 1) return everything;
  if (name?.text === "rg" && values[0] === "--files" && values.length === 1) return everything;
  if (
    name?.text === "grep" &&
    /^-[a-zA-Z]*l[a-zA-Z]*$/.test(values[0] ?? "") &&
    /r/.test(values[0] ?? "") &&
    !/R/.test(values[0] ?? "") &&
    values.length === 3 &&
    !(values[2] ?? "-").startsWith("-")
  )
    return { found: { starts: given.slice(2), split: true } };
  const isFilter =
    FILTERS.test(name?.text ?? "") &&
    values.filter((value) => !KEEPS.test(value) && !/^\d+$/.test(value)).length <= (/grep/.test(name?.text ?? "") ? 1 : 0);
  return isFilter && input !== undefined && input !== "unknown" && "found" in input && input.found.split ? input : "unknown";
}
