// Programs that get a script as an argument: sed, awk, jq.
import type { Argument } from "../argument.ts";
import { isKnown, type Parsed } from "./arguments.ts";
import { type Effect, known, type Places } from "./effect.ts";
import { sedDoes } from "./sed-script.ts";

export const filters: readonly (readonly [string, Effect])[] = [
  ["sed", edited],
  ["gsed", edited],
  ...known("awk gawk mawk nawk", "-Fv: --field-separator: --assign: --posix --traditional --re-interval", awk),
  ...known(
    "jq",
    `-rRncsSCMaej --raw-output --raw-input --null-input --compact-output --slurp --sort-keys --color-output --monochrome-output --ascii-output
     --exit-status --join-output --tab --indent: --arg: --argjson: --args --jsonargs --stream --seq --slurpfile: --rawfile:`,
    queried,
  ),
];

const SED = known(
  "sed",
  "-nErsuz -el: --expression: --quiet --silent --regexp-extended --null-data --separate --posix --line-length:",
  (given, to) => {
    const { operands, valuesOf } = given;
    const own = valuesOf("e", "expression");
    const scripts = own.length > 0 ? own : operands.slice(0, 1);
    for (const script of scripts) {
      const reason = isKnown(script) ? sedDoes(script.value) : `the script of sed, ${script.text}, becomes known only when it runs`;
      if (reason !== undefined) to.hides(reason);
    }
    for (const file of own.length > 0 ? operands : operands.slice(1)) to.reads(file);
  },
);

/** `-i` and `-i.bak` are taken out first: getopt attaches the suffix. */
function edited(args: readonly Argument[], to: Places, name: string): void {
  const [, effect] = SED[0] as readonly [string, Effect];
  const own = args.filter(({ value }) => IN_PLACE.test(value));
  const rest = args.flatMap((argument) => {
    const before = /^-([nErsuz]+)i/.exec(argument.value)?.[1];
    return !own.includes(argument) ? [argument] : before === undefined ? [] : [{ ...argument, value: `-${before}` }];
  });
  if (own.length === 0) return effect(rest, to, name);
  const suffix = /^(?:-[nErsuz]*i|--in-place=?)(.*)$/s.exec(own.at(-1)?.value ?? "")?.[1] ?? "";
  if (/[/*]/.test(suffix)) to.elsewhere("the backup of sed is a path");
  return effect(
    rest,
    {
      ...to,
      reads(file) {
        to.reads(file);
        to.writes(file, {});
        if (suffix !== "" && file.found === undefined && !file.splits) to.writes({ ...file, value: `${file.value}${suffix}` }, {});
      },
    },
    name,
  );
}

const IN_PLACE = /^(?:-[nErsuz]*i|--in-place(?:=|$))/;

/** Words with which a program of awk runs, reads or writes what is not among its files. */
const AWK = /\b(?:getline|system|close|ARGV|ARGC|ARGIND|PROCINFO|FUNCTAB|SYMTAB|extension)\b|@|\/inet|\bprint[\s\S]*>|(?<!\|)\|(?!\|)/;

function awk({ operands, valuesOf }: Parsed, to: Places): void {
  const [program, ...files] = operands;
  if (program === undefined) return;
  if (!isKnown(program)) to.hides("the program of awk becomes known only when it runs");
  else if (AWK.test(program.value)) to.hides("the program of awk can run programs and use files that are not its arguments");
  for (const file of [...files, ...valuesOf("v", "assign")]) {
    to.reads(file);
    const value = /^\w+=(.*)$/s.exec(file.value)?.[1];
    if (value !== undefined && isKnown(file)) to.reads({ ...file, value });
  }
}

/** `--arg name value` takes two arguments; of `--rawfile name file`, the second is a file. */
function queried({ operands, has }: Parsed, to: Places): void {
  const [program, ...files] = operands;
  if (program !== undefined && isKnown(program) && /\b(?:import|include|modulemeta|input_filename)\b/.test(program.value))
    to.unread("the program of jq loads other files");
  const isShifted = has("arg", "argjson", "slurpfile", "rawfile");
  for (const file of isShifted ? operands : files) to.reads(file);
}
