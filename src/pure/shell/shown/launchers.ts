import type { Argument } from "../argument.ts";
import { ADDED, isKnown, namesOf, type Options, optionsOf, parsed } from "./arguments.ts";
import type { Effect } from "./effect.ts";
import { hiddenBy } from "./environment.ts";
import { endOf, findsIn } from "./searches.ts";
import { type Called, hides, type Start, type Starter } from "./start.ts";

/**
 * Programs that run another one, and how to find it. The options are those they are known to have: with any other, what they run is not
 * known. A launcher that is not listed is not lost: every argument of an unknown program counts as the beginning of a command.
 */
export const LAUNCHERS: ReadonlyMap<string, Starter> = new Map<string, Starter>([
  ...launchers("nohup setsid builtin busybox toybox corepack eatmydata", "-fwc"),
  ...launchers("nice", "-n: --adjustment: -0123456789"),
  ...launchers("ionice", "-t -cn: --class: --classdata: --ignore"),
  ...launchers("stdbuf", "-ioe: --input: --output: --error:"),
  ...launchers("sudo", "-AbEHknPS -ug: --user: --group: --non-interactive --preserve-env", 0, true),
  ...launchers("cross-env cross-env-shell", "", 0, true),
  ...launchers("timeout gtimeout", "-v -ks: --kill-after: --signal: --foreground --preserve-status --verbose", 1),
  ...launchers("time", "-pv"),
  ...launchers("exec", "-cl -a:"),
  ["command", ({ args, ...call }) => (/^-[a-z]*[vV]/.test(args[0]?.value ?? "") ? undefined : started({ ...call, args }, optionsOf("-p")))],
  ["env", env],
  ["xargs", xargs],
  ["gxargs", xargs],
  ["find", find],
  ["gfind", find],
  ["fd", fd],
  ["fdfind", fd],
  ...opaque(`chroot taskset chrt setarch linux32 linux64 i386 x86_64 uname26 unshare nsenter doas strace ltrace rlwrap xvfb-run script scriptreplay
    su runuser flock parallel watch ssh direnv dotenvx concurrently proot fakeroot unbuffer catchsegv gosu setpriv capsh prlimit cgexec systemd-run
    firejail bwrap start-stop-daemon run-parts entr nodemon tini dumb-init runcon sg newgrp perf valgrind hyperfine torsocks proxychains lxc-attach`),
  ...["npx", "bunx", "pnpx"].map((name) => [name, packaged] as const),
  ...under("npm pnpm yarn bun", "exec x dlx"),
  ...under("uv poetry pipenv hatch pdm rye mise", "run"),
  ...under("bundle", "exec"),
]);

/** They run another program, in ways that are not followed. */
function opaque(names: string): readonly (readonly [string, Starter])[] {
  const start: Starter = ({ name, args }) => (args.length === 0 || isAsking(args) ? undefined : hides(`${name} can run other programs`));
  return [...namesOf(names)].map((name) => [name, start] as const);
}

function isAsking(args: readonly Argument[]): boolean {
  return args.length === 1 && /^--?(?:version|help|V)$/.test(args[0]?.value ?? "");
}

/** `/lib64/ld-linux-x86-64.so.2 /usr/bin/curl` */
export const LOADER = /^ld(?:-linux[\w.-]*|-musl[\w.-]*)?\.so(?:\.\d+)?$/;

export function behind(argv: readonly Argument[]): readonly Start[] | undefined {
  return argv.length === 0 ? undefined : [{ argv }];
}

/** A text that a shell reads. */
export function scripted(argument: Argument | undefined): readonly Start[] {
  if (argument === undefined) return [];
  return isKnown(argument) ? [{ script: argument.value }] : hides(`${argument.text} becomes a command only when it runs`);
}

/** Arguments that are joined and read by a shell. */
function joined(args: readonly Argument[]): readonly Start[] | undefined {
  if (args.length === 0) return undefined;
  const unknown = args.find((argument) => !isKnown(argument));
  return unknown === undefined ? [{ script: args.map(({ value }) => value).join(" ") }] : scripted(unknown);
}

function launchers(names: string, options: string, operands = 0, assigns = false): readonly (readonly [string, Starter])[] {
  const own = optionsOf(`${options} --help --version`);
  return [...namesOf(names)].map((name) => [name, (call: Called) => started(call, own, operands, assigns)] as const);
}

function started({ name, args }: Called, options: Options, operands = 0, assigns = false): readonly Start[] | undefined {
  const given = parsed(args, options, true);
  if (given.strange !== undefined) return hides(`what ${name} does with ${given.strange.text} is not known`);
  const rest = given.operands.slice(operands);
  return assigns ? afterAssignments(rest) : behind(rest);
}

function afterAssignments(args: readonly Argument[]): readonly Start[] | undefined {
  const at = args.findIndex(({ value }) => !/^\w+=/.test(value));
  const assigned = at === -1 ? args : args.slice(0, at);
  const hidden = assigned.map(({ value }) => hiddenBy(value)).find((reason) => reason !== undefined);
  const rest = at === -1 ? [] : args.slice(at);
  return hidden === undefined ? behind(rest) : [{ hidden }, ...(behind(rest) ?? [])];
}

/** `env -S 'curl x'` splits its text into a command. */
function env(call: Called): readonly Start[] | undefined {
  const given = parsed(call.args, optionsOf("-i0v -u: -S: --ignore-environment --unset: --split-string: --null --help --version"), true);
  if (given.strange !== undefined) return hides(`what env does with ${given.strange.text} is not known`);
  const [text] = given.valuesOf("S", "split-string");
  return text === undefined ? afterAssignments(given.operands) : joined([text, ...given.operands]);
}

const XARGS = optionsOf(
  "-0rtx -dEILnPs: -a< --null --no-run-if-empty --verbose --max-args: --max-procs: --max-chars: --max-lines: --delimiter: --replace: --arg-file<",
);

/** `xargs -a names` reads the file itself. */
export const xargsEffect: Effect = (args, to) => {
  for (const { value } of parsed(args, XARGS, true).files) to.reads(value);
};

/** The names that xargs adds are those that the program before it finds, if the text shows them. */
function xargs({ args, input }: Called): readonly Start[] | undefined {
  const given = parsed(args, XARGS, true);
  const { strange, operands, valuesOf } = given;
  if (strange !== undefined) return hides(`what xargs does with ${strange.text} is not known`);
  const named = input !== undefined && input !== "unknown" && "found" in input && given.files.length === 0 ? input.found : undefined;
  const found = named === undefined || (named.split === true) === given.has("0", "null") ? undefined : named;
  const added: Argument = found === undefined ? ADDED : { ...ADDED, splits: false, found };
  const mark = valuesOf("I", "replace")[0]?.value;
  const command =
    mark === undefined ? [...operands, added] : operands.map((each) => (each.value === mark ? { ...added, text: each.text } : each));
  return operands.length === 0 ? undefined : [{ argv: mark === undefined ? command : filled(command, mark) }];
}

/** What stands for a name that is only known later. */
function filled(args: readonly Argument[], mark: string): readonly Argument[] {
  return args.map((argument) =>
    argument.found === undefined && argument.value.includes(mark) ? { ...argument, variable: true, splits: true } : argument,
  );
}

function find({ args }: Called): readonly Start[] | undefined {
  const starts: Start[] = [];
  const found = findsIn(args);
  for (let at = 0; at < args.length; at++) {
    const { value } = args[at] as Argument;
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(value)) continue;
    const isHere = value === "-exec" || value === "-ok";
    const argv = args
      .slice(at + 1, endOf(args, at))
      .map((each) => (each.value === "{}" && isHere ? { ...each, variable: true, found } : each));
    if (argv.length > 0) starts.push({ argv: filled(argv, "{}"), isAway: !isHere });
  }
  return starts.length === 0 ? undefined : starts;
}

function fd({ args }: Called): readonly Start[] | undefined {
  const at = args.findIndex(({ value }) => /^(?:-[xX]|--exec|--exec-batch)/.test(value));
  return at === -1 ? undefined : hides("fd runs a program for each file");
}

function packaged({ args }: Called): readonly Start[] | undefined {
  const given = parsed(args, optionsOf("-yq -cp: --yes --no --no-install --quiet --package: --call:"), true);
  const [text] = given.valuesOf("c", "call");
  return text === undefined ? behind(given.operands) : scripted(text);
}

function under(names: string, words: string): readonly (readonly [string, Starter])[] {
  const own = namesOf(words);
  const start: Starter = ({ name, args }) => (own.has(args[0]?.value ?? "") ? packaged({ name, args: args.slice(1) }) : undefined);
  return [...namesOf(names)].map((name) => [name, start] as const);
}
