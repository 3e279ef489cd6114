import type { Argument } from "../argument.ts";
import { isKnown, namesOf, optionsOf, parsed } from "./arguments.ts";
import { hiddenBy } from "./environment.ts";
import { behind, scripted } from "./launchers.ts";
import { EVERY_SHELL } from "./posix.ts";
import { type Called, hides, type Start, type Starter } from "./start.ts";

/** Programs that run code: of a file, which a text names, or of their arguments or input, which may run anything. */
export const INTERPRETERS: ReadonlyMap<string, Starter> = new Map<string, Starter>([
  ..."sh bash zsh dash ksh mksh ash yash posh rbash".split(" ").map((name) => [name, shell] as const),
  ["jobs", ({ args }) => (args.every(({ value }) => /^-[lnprs]+$/.test(value)) ? undefined : hides("jobs -x runs a command"))],
  ...languages("node nodejs iojs", "e p eval print", "r C require import loader experimental-loader conditions env-file"),
  ...languages("bun deno tsx ts-node", "e p eval print", "r require import preload config"),
  ...languages("ruby irb jruby", "e", "r I C E"),
  ...languages("php", "r B R E", "d c z f"),
  ...languages("lua luajit", "e", "l"),
  ...languages(
    "Rscript R julia swift elixir groovy scala ghci runghc guile tclsh wish osascript erl jshell crystal nim racket",
    "e E eval",
    "",
  ),
  ...languages("fish csh tcsh elvish xonsh nu pwsh powershell cmd", "c C Command EncodedCommand init-command commands", ""),
  ...["python", "python2", "python3", "pypy", "pypy3", "py", "ipython"].map((name) => [name, python] as const),
  ...["perl", "raku"].map((name) => [name, perl] as const),
  ["eval", evaluated],
  ["trap", trapped],
  ["source", sourced],
  [".", sourced],
  ...["make", "gmake", "bmake"].map((name) => [name, make] as const),
  ...editors("vi vim nvim ex ed emacs emacsclient nano gdb lldb expect dc screen tmux at batch crontab fc systemd-run dbus-send osascript"),
  ["alias", ({ args }) => (args.some(({ text }) => text.includes("=")) ? hides("an alias gives a program another name") : undefined)],
  ["hash", ({ args }) => (args.some(({ value }) => /^-[a-z]*p/.test(value)) ? hides("hash -p gives a program another name") : undefined)],
  ["enable", ({ args }) => (args.length > 0 ? hides("enable changes which program a name means") : undefined)],
  ["bind", () => hides("bind runs commands later")],
  ...["mapfile", "readarray"].map((name) => [name, callback] as const),
  ...["complete", "compgen"].map((name) => [name, () => hides(`${name} can run commands`)] as const),
  ...["export", "declare", "typeset", "readonly", "local", "read", "unset", "printf"].map((name) => [name, assigned] as const),
]);

/** Files that are not files: what is read there is not in the text. */
const STREAM = /^(?:-|\/dev\/(?:stdin|fd\/.*|tcp\/.*|udp\/.*)|\/proc\/.*)$/;

function isStream(argument: Argument): boolean {
  return !isKnown(argument) || STREAM.test(argument.value);
}

function fromInput({ name, input }: Called): readonly Start[] {
  return input !== undefined && input !== "unknown" && "text" in input ? spoken(name, input.text) : hides(`${name} runs what it reads`);
}

/** A text for a shell. Only bash is known in full; what the others share with it is. */
function spoken(name: string, text: string): readonly Start[] {
  if (name === "bash" || name === "rbash") return [{ script: text }];
  if (/^(?:sh|dash|ash)$/.test(name)) return [{ script: text, isPosix: true }];
  return EVERY_SHELL.test(text) ? [{ script: text, isPosix: true }] : hides(`${name} may read its text differently from bash`);
}

function shell(call: Called): readonly Start[] | undefined {
  const { args, name } = call;
  let at = 0;
  let isScript = false;
  while (/^[-+]./.test(args[at]?.value ?? "")) {
    const option = args[at]?.value ?? "";
    if (option === "--version" || option === "--help") return undefined;
    if (/^-[a-zA-Z]*c/.test(option)) isScript = true;
    if (/^-[a-zA-Z]*s/.test(option)) return fromInput(call);
    at += /^[-+][a-zA-Z]*[oO]$|^--(?:rcfile|init-file)$/.test(option) ? 2 : 1;
  }
  const operand = args[at];
  if (isScript && operand !== undefined && isKnown(operand)) return spoken(name, operand.value);
  if (isScript) return operand === undefined ? [] : scripted(operand);
  if (operand === undefined) return fromInput(call);
  return isStream(operand) ? hides(`${name} runs what it reads`) : undefined;
}

function languages(names: string, code: string, values: string): readonly (readonly [string, Starter])[] {
  const coded = [...namesOf(code)];
  const all = optionsOf([...namesOf(`${code} ${values}`)].map((name) => (name.length > 1 ? `--${name}:` : `-${name}:`)).join(" "));
  const start: Starter = ({ name, args, input }) => {
    const options = parsed(args, all);
    const unknown = args.find((argument) => !isKnown(argument) && argument.splits);
    if (unknown !== undefined && !options.operands.some(isKnown)) return hides(`${name} ${unknown.text} becomes known only when it runs`);
    if (options.has(...coded) || (name === "deno" && options.operands[0]?.value === "eval"))
      return hides(`${name} runs code in its arguments`);
    if (options.valuesOf("r", "require", "import", "loader", "preload").some(({ value }) => /^data:|^\/dev\/|^\/proc\//.test(value)))
      return hides(`${name} loads code that is not in a file`);
    const [file] = options.operands;
    if (file !== undefined) return isStream(file) ? hides(`${name} runs what it reads`) : undefined;
    const onlyPrints = args.length > 0 && input === undefined;
    return onlyPrints ? undefined : hides(`${name} runs what it reads`);
  };
  return [...namesOf(names)].map((name) => [name, start] as const);
}

function python({ name, args, input }: Called): readonly Start[] | undefined {
  for (const [at, { value }] of args.entries()) {
    if (/^-[a-zA-Z]*m$/.test(value)) return behind(args.slice(at + 1));
    if (/^-[a-zA-Z]*c/.test(value)) return hides(`${name} runs code in its arguments`);
    if (value === "-" || !value.startsWith("-")) return isStream(args[at] as Argument) ? hides(`${name} runs what it reads`) : undefined;
  }
  return args.length > 0 && input === undefined ? undefined : hides(`${name} runs what it reads`);
}

function perl({ name, args, input }: Called): readonly Start[] | undefined {
  for (const argument of args) {
    const { value } = argument;
    if (/^-(?:[vVch]|-version|-help)$/.test(value)) return undefined;
    if (/^-[a-zA-Z0-9.]*[eEMmpnx]/.test(value)) return hides(`${name} runs code in its arguments`);
    if (value === "-" || !value.startsWith("-")) return isStream(argument) ? hides(`${name} runs what it reads`) : undefined;
  }
  return args.length > 0 && input === undefined ? undefined : hides(`${name} runs what it reads`);
}

const HARMLESS = /^\s*(?:(?:exit|echo|rm|rmdir|kill|true|:|wait|date|sleep)(?:\s[^&|`$()={}]*)?)?$/;

/** It runs in a directory that is not known yet, and between any two commands unless it waits for the end. */
function trapped({ args }: Called): readonly Start[] | undefined {
  const [action, ...signals] = args;
  if (action === undefined || ["-", "", "-p", "-l"].includes(action.value)) return undefined;
  const isLast = signals.length > 0 && signals.every(({ value }) => value === "EXIT" || value === "0");
  if (!isLast && !(isKnown(action) && action.value.split(/[;\n]/).every((part) => HARMLESS.test(part))))
    return hides("a trap can change variables and the directory between two commands");
  return scripted(action).map((start) => ("script" in start ? { ...start, isLater: true } : start));
}

function evaluated({ args }: Called): readonly Start[] | undefined {
  const unknown = args.find((argument) => !isKnown(argument));
  return unknown === undefined ? [{ script: args.map(({ value }) => value).join(" "), isHere: true }] : scripted(unknown);
}

function sourced({ name, args }: Called): readonly Start[] | undefined {
  const [file] = args;
  return file !== undefined && isStream(file) ? hides(`${name} runs what it reads`) : undefined;
}

function make({ args }: Called): readonly Start[] | undefined {
  const { valuesOf, has } = parsed(args, optionsOf("-fCjloW: --file: --makefile: --directory: --eval:"));
  const isOther = valuesOf("f", "file", "makefile").some(isStream) || has("eval", "E");
  const isOwn = args.some((argument) => /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|CC|CXX)=|\$\(/.test(argument.value));
  return isOther || isOwn ? hides("make runs code in its arguments or input") : undefined;
}

function editors(names: string): readonly (readonly [string, Starter])[] {
  return [...namesOf(names)].map(
    (name) => [name, ({ args }) => (onlyAsks(args) ? undefined : hides(`${name} can run other programs`))] as const,
  );
}

function onlyAsks(args: readonly Argument[]): boolean {
  return args.length === 1 && /^(?:--version|--help|-V|-v|-l|-h)$/.test(args[0]?.value ?? "");
}

function callback({ name, args }: Called): readonly Start[] | undefined {
  return args.some(({ value }) => /^-[a-z]*[CF]/.test(value)) ? hides(`${name} runs a command for each line`) : undefined;
}

/** Builtins that set variables. */
function assigned({ name, args }: Called): readonly Start[] | undefined {
  const names = name === "printf" ? (args[0]?.value === "-v" ? args.slice(1, 2) : []) : args;
  const hidden = names.map(({ text, value }) => hiddenBy(isAssignment(text) ? text : value)).find((reason) => reason !== undefined);
  return hidden === undefined ? undefined : hides(hidden);
}

function isAssignment(text: string): boolean {
  return /^\w+\+?=/.test(text);
}
