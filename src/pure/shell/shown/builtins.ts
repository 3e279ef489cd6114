import type { Argument } from "../argument.ts";
import { isKnown, namesOf } from "./arguments.ts";
import type { Effect, Places } from "./effect.ts";

/** Builtins that take text, numbers or nothing. */
const PLAIN = `echo pwd exit return break continue shift times jobs bg fg kill ulimit umask help dirs type caller disown suspend cd pushd popd
  command unalias trap true false : hash alias`;

const NAME = /^[A-Za-z_]\w*$/;

/** Builtins that set variables, and their options that only say how. Each name in them is evaluated if it has a subscript. */
const NAMES: readonly (readonly [names: string, options: RegExp, values: RegExp])[] = [
  ["read", /^-[rsea]+$/, /^-[rsea]*[dnNptiu]$/],
  ["mapfile readarray", /^-t$/, /^-t?[dnOsu]$/],
  ["export readonly", /^-[p]+$/, /^$/],
  ["declare typeset local", /^-[aAgprx]+$/, /^$/],
  ["unset", /^-[vf]$/, /^$/],
  ["wait", /^-[nf]$/, /^$/],
];

/** Options of the shell that do not change what a later word means. */
const SET = /^(?:[-+][eux]*o?|-[euxv]+|pipefail|errexit|nounset|xtrace|verbose)$/;
const SHOPT = namesOf("nullglob failglob globstar extglob inherit_errexit -s -u -q -p");

export const builtins: readonly (readonly [string, Effect])[] = [
  ...[...namesOf(PLAIN)].map((name) => [name, () => {}] as const),
  ...NAMES.flatMap(([names, options, values]) => [...namesOf(names)].map((name) => [name, named(options, values)] as const)),
  ["set", allowed((value, index, all) => SET.test(value) || all.slice(0, index).some((each) => each === "--") || value === "--")],
  ["shopt", allowed((value) => SHOPT.has(value))],
  ["test", tested],
  ["[", tested],
  ["printf", printed],
  ["let", ({ length }, to) => (length > 0 ? to.hides("let evaluates its arguments") : undefined)],
  ["getopts", (args, to) => (NAME.test(args[1]?.value ?? "") ? undefined : to.hides("getopts evaluates its second argument"))],
  ["history", (args, to) => (args.length > 0 ? to.hides("history uses files") : undefined)],
];

function allowed(isAllowed: (value: string, index: number, all: readonly string[]) => boolean): Effect {
  return (args, to, name) => {
    const all = args.map(({ value }) => value);
    const other = args.find((argument, index) => !isKnown(argument) || !isAllowed(argument.value, index, all));
    const isText = all.includes("--") && name === "set";
    if (other !== undefined && !isText) to.hides(`${name} ${other.text} can change what later words mean`);
  };
}

function named(options: RegExp, values: RegExp): Effect {
  return (args, to, name) => {
    for (let at = 0; at < args.length; at++) {
      const argument = args[at] as Argument;
      const [word = ""] = argument.value.split(/\+?=/);
      if (values.test(argument.value)) at++;
      else if (!options.test(argument.value) && !isName(argument, word)) return to.hides(`${name} evaluates ${argument.text}`);
    }
    return undefined;
  };
}

/** Only a name may stand before `=`, and nothing that becomes one later. */
function isName({ value, variable, splits, runs }: Argument, word: string): boolean {
  return NAME.test(word) && (value.length > word.length || !(variable || splits || runs));
}

/** `[ -v 'a[$(rm x)]' ]` evaluates its argument. */
function tested(args: readonly Argument[], to: Places): void {
  for (const [index, argument] of args.entries()) {
    const before = args[index - 1];
    const mayEvaluate = before !== undefined && (before.value === "-v" || before.value === "-R");
    if (mayEvaluate && !(isKnown(argument) && NAME.test(argument.value))) to.hides(`test -v evaluates ${argument.text}`);
    if (before !== undefined && !isKnown(before) && before.splits && /\[/.test(argument.value)) to.hides(`test evaluates ${argument.text}`);
  }
}

function printed(args: readonly Argument[], to: Places): void {
  const [first, second] = args;
  if (first?.value.startsWith("-v") !== true) {
    if (first?.variable && /^["']?\$/.test(first.text) && args.length > 1 && first.splits)
      to.hides(`printf ${first.text} becomes known only when it runs`);
    return;
  }
  const name = first.value === "-v" ? second : { ...first, value: first.value.slice(2) };
  if (name === undefined || !isKnown(name) || !NAME.test(name.value)) to.hides("printf -v evaluates the name of its variable");
}
