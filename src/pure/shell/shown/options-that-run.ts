import { isKnown } from "./arguments.ts";
import { hides, type Starter } from "./start.ts";

/** Options with which programs run others, of programs whose other options are not listed. */
const RUN: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^rsync$/, /^(?:--rsh|--rsync-path|-[a-zA-Z]*e)/],
  [/^(?:scp|sftp)$/, /^(?:-[a-zA-Z]*S|-o$|-oProxy)/],
  [/^(?:split|csplit)$/, /^--fil/],
  [/^(?:cargo|rustc)$/, /^--config/],
  [/^(?:npm|pnpm|yarn)$/, /^--(?:script-shell|node-options|prefix-command)/],
  [/^go$/, /^-(?:exec|toolexec|vettool)/],
];

export const optionsThatRun: Starter = ({ name, args }) => {
  for (const [program, option] of RUN) {
    if (!program.test(name)) continue;
    const found = args.find((argument) => isKnown(argument) && option.test(argument.value));
    if (found !== undefined) return hides(`${name} ${found.value} can run other programs`);
  }
  return undefined;
};
