import type { Argument } from "../argument.ts";
import { ADDED, afterOptions, isKnown, namesOf, parsed, tail } from "./arguments.ts";
import { hiddenBy } from "./environment.ts";
import { type Called, hides, type Start, type Starter } from "./start.ts";

/**
 * Programs that run another one, and how to find it. Options with a value are listed, so that the value is not taken for the program. A
 * launcher that is not listed is not lost: every argument of an unknown program counts as the beginning of a command.
 */
export const LAUNCHERS: ReadonlyMap<string, Starter> = new Map<string, Starter>([
  ...launchers("nohup setsid builtin busybox toybox corepack eatmydata fakeroot unbuffer catchsegv proot gosu-exec", ""),
  ...launchers("nice", "n adjustment"),
  ...launchers("ionice", "c n class classdata"),
  ...launchers("stdbuf", "i o e input output error"),
  ...launchers("unshare", "S G R w setuid setgid root wd"),
  ...launchers("doas", "u C"),
  ...launchers("strace ltrace", "e o p s u E P b I O S a X"),
  ...launchers("rlwrap", "f H s"),
  ...launchers("xvfb-run", "n s f e server-num server-args"),
  ...launchers("sudo", "u g p C h r t T U D R user group prompt host role type chdir chroot close-from other-user", 0, true),
  ...launchers("cross-env cross-env-shell dotenvx", "", 0, true),
  ...launchers("timeout gtimeout", "k s kill-after signal", 1),
  ...launchers("chroot taskset chrt setarch linux64 linux32", "", 1),
  ["time", (call) => behind(afterOptions(call.args, namesOf("f o format output")))],
  ["exec", ({ args }) => behind(afterOptions(args, namesOf("a")))],
  ["command", ({ args }) => (/^-[a-z]*[vV]/.test(args[0]?.value ?? "") ? undefined : behind(afterOptions(args, new Set())))],
  ["env", env],
  ["xargs", xargs],
  ["gxargs", xargs],
  ["find", find],
  ["gfind", find],
  ["fd", fd],
  ["fdfind", fd],
  ["parallel", parallel],
  ["watch", ({ args }) => joined(afterOptions(args, namesOf("n interval q equexit")))],
  ["ssh", ({ args }) => joined(afterOptions(args, namesOf("b c D E e F I i J L l m O o p Q R S W w")).slice(1))],
  ["flock", flock],
  ...["script", "su", "runuser"].map((name) => [name, byOption] as const),
  ...["npx", "bunx", "pnpx"].map((name) => [name, packaged] as const),
  ...under("npm pnpm yarn bun", "exec x dlx"),
  ...under("uv poetry pipenv hatch pdm rye mise", "run"),
  ...under("bundle", "exec"),
  ["direnv", ({ args }) => (args[0]?.value === "exec" ? behind(args.slice(2)) : undefined)],
  ["concurrently", ({ args }) => args.filter(({ value }) => !value.startsWith("-")).flatMap((argument) => scripted(argument))],
]);

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

function launchers(names: string, values: string, operands = 0, assigns = false): readonly (readonly [string, Starter])[] {
  const own = namesOf(values);
  const start: Starter = ({ args }) => {
    const rest = afterOptions(args, own).slice(operands);
    return assigns ? afterAssignments(rest) : behind(rest);
  };
  return [...namesOf(names)].map((name) => [name, start] as const);
}

function afterAssignments(args: readonly Argument[]): readonly Start[] | undefined {
  const at = args.findIndex(({ value }) => !/^\w+=/.test(value) && value !== "--");
  const assigned = at === -1 ? args : args.slice(0, at);
  const hidden = assigned.map(({ value }) => hiddenBy(value)).find((reason) => reason !== undefined);
  const rest = at === -1 ? [] : args.slice(at);
  return hidden === undefined ? behind(rest) : [{ hidden }, ...(behind(rest) ?? [])];
}

/** `env -S 'curl x'` splits its text into a command. */
function env({ args }: Called): readonly Start[] | undefined {
  const at = args.findIndex(({ value }) => /^(?:-[a-zA-Z0]*S|--split-string)/.test(value));
  if (at === -1) return afterAssignments(afterOptions(args, namesOf("u C unset chdir")));
  const option = args[at] as Argument;
  const from = option.value.startsWith("--") ? option.value.indexOf("=") + 1 : option.value.indexOf("S") + 1;
  const isAttached = option.value.length > from && from > 0;
  const rest = args.slice(at + (isAttached ? 1 : 2));
  const text = isAttached ? tail(option, from) : args[at + 1];
  return text === undefined ? undefined : joined([text, ...rest]);
}

const XARGS = namesOf("a d E I L n P s arg-file delimiter max-args max-procs max-chars");

function xargs({ args }: Called): readonly Start[] | undefined {
  const { valuesOf, has } = parsed(args.slice(0, args.length - afterOptions(args, XARGS).length), XARGS);
  const mark = valuesOf("I")[0]?.value ?? (has("i", "replace") ? "{}" : undefined);
  const command = afterOptions(args, XARGS);
  return command.length === 0 ? undefined : [{ argv: [...filled(command, mark), ADDED] }];
}

/** What stands for a name that is only known later. */
function filled(args: readonly Argument[], mark: string | undefined): readonly Argument[] {
  return mark === undefined ? args : args.map((argument) => (argument.value.includes(mark) ? { ...argument, variable: true } : argument));
}

function find({ args }: Called): readonly Start[] | undefined {
  const found: Start[] = [];
  for (let at = 0; at < args.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[at]?.value ?? "")) continue;
    const end = args.findIndex(({ value }, index) => index > at && (value === ";" || (value === "+" && args[index - 1]?.value === "{}")));
    const argv = filled(args.slice(at + 1, end === -1 ? undefined : end), "{}");
    if (argv.length > 0) found.push({ argv });
  }
  return found.length === 0 ? undefined : found;
}

function fd({ args }: Called): readonly Start[] | undefined {
  const at = args.findIndex(({ value }) => /^(?:-[xX]|--exec|--exec-batch)$/.test(value));
  return at === -1 ? undefined : [{ argv: [...filled(args.slice(at + 1), "{"), ADDED] }];
}

function parallel({ args }: Called): readonly Start[] | undefined {
  const rest = afterOptions(args, namesOf("j a N n L d jobs arg-file max-args delay joblog results workdir tmpdir colsep"));
  const end = rest.findIndex(({ value }) => /^::::?\+?$/.test(value));
  const command = end === -1 ? rest : rest.slice(0, end);
  if (command.length === 0) return hides("parallel runs the lines it gets");
  if (command.length === 1 && /\s/.test(command[0]?.value ?? "")) return joined(filled(command, "{"));
  return [{ argv: [...filled(command, "{"), ADDED] }];
}

function flock({ args }: Called): readonly Start[] | undefined {
  const rest = afterOptions(args, namesOf("w E timeout wait conflict-exit-code")).slice(1);
  return /^(?:-c|--command)$/.test(rest[0]?.value ?? "") ? scripted(rest[1]) : behind(rest);
}

/** `su -c 'rm x'`; without a command they start a shell. */
function byOption({ name, args }: Called): readonly Start[] | undefined {
  const { valuesOf, has } = parsed(args, namesOf("c u g s command session-command shell user group"));
  if (has("version", "help")) return undefined;
  const [text] = valuesOf("c", "command", "session-command");
  if (text !== undefined) return scripted(text);
  const dashes = args.findIndex(({ value }) => value === "--");
  return dashes === -1 ? hides(`${name} starts a shell`) : behind(args.slice(dashes + 1));
}

function packaged({ args }: Called): readonly Start[] | undefined {
  const { valuesOf } = parsed(args, namesOf("p package c call"));
  const [text] = valuesOf("c", "call");
  return text === undefined ? behind(afterOptions(args, namesOf("p package"))) : scripted(text);
}

function under(names: string, words: string): readonly (readonly [string, Starter])[] {
  const own = namesOf(words);
  const start: Starter = ({ name, args }) => (own.has(args[0]?.value ?? "") ? packaged({ name, args: args.slice(1) }) : undefined);
  return [...namesOf(names)].map((name) => [name, start] as const);
}
