import { isKnown } from "./arguments.ts";
import { hides, type Starter } from "./start.ts";

/** Options of ordinary programs that name a program to run. */
const RUN: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [
    /^(?:tar|bsdtar|gtar)$/,
    /^(?:--(?:to-command|checkpoint-action|use-compress-program|rsh-command|info-script|new-volume-script|rmt-command)|-[a-zA-Z]*[IF])/,
  ],
  [/^rsync$/, /^(?:--rsh|--rsync-path|-[a-zA-Z]*e)/],
  [/^(?:scp|sftp)$/, /^(?:-[a-zA-Z]*S|-o$|-oProxy)/],
  [/^sort$/, /^--compress-program/],
  [/^(?:split|csplit)$/, /^--filter/],
  [/^zip$/, /^(?:-TT|--unzip-command)/],
  [/^(?:rg|ag)$/, /^(?:--pre|--pager|--hostname-bin)/],
  [/^(?:man|apropos)$/, /^(?:-P|--pager|-H|--html)/],
  [/^(?:less|more)$/, /^\+|^-[a-zA-Z]*k|^--lesskey/],
  [/^install$/, /^--strip-program/],
  [/^curl$/, /^(?:-[a-zA-Z]*K|--config)/],
  [/^wget$/, /^--use-askpass/],
  [/^(?:cargo|rustc)$/, /^--config/],
  [/^(?:npm|pnpm|yarn)$/, /^--(?:script-shell|node-options|prefix-command)/],
  [/^go$/, /^-(?:exec|toolexec|vettool)/],
];

/** A long option may be shortened: `--compress-prog`. */
export const optionsThatRun: Starter = ({ name, args }) => {
  for (const [program, option] of RUN) {
    if (!program.test(name)) continue;
    const found = args.find((argument) => isKnown(argument) && (option.test(argument.value) || isShortened(argument.value, option)));
    if (found !== undefined) return hides(`${name} ${found.value} can run other programs`);
  }
  return undefined;
};

function isShortened(value: string, option: RegExp): boolean {
  const name = /^--([a-z][\w-]{2,})(?:=|$)/.exec(value)?.[1];
  return name !== undefined && new RegExp(`[-(|]${name}`).test(option.source) && option.source.includes("--");
}
