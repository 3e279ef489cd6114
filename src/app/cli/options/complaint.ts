import type { Command } from "commander";
import { nearest, printable } from "../../../pure/base/index.ts";
import { defaultOf, pathOf } from "./help.ts";

type Rule = readonly [message: RegExp, sentence: (parts: readonly string[], command: Command) => string];

/** Commander's messages, and what we say: what happened, and what to do. */
const RULES: readonly Rule[] = [
  [/^unknown option '(.+)'$/s, ([flag = ""], command) => unknownOption(flag, command)],
  [/^unknown command '(.+)'$/s, ([name = ""], command) => unknownCommand(name, command)],
  [/^too many arguments/, (_, command) => unexpectedArgument(command)],
  [/^missing required argument '(.+)'$/, ([name], command) => `Missing argument: ${name}. ${usageOf(command)}`],
  [/^option '(.+)' argument missing$/, ([flags], command) => `Option ${flags} needs a value. ${tryHelp(command)}`],
  [/^required option '(.+)' not specified$/, ([flags], command) => `Missing option: ${flags}. ${tryHelp(command)}`],
  [/^option '(.+?)' argument '(.*)' is invalid\. (.*)$/s, ([flags = "", value = "", why = ""]) => invalid(nameOf(flags), value, why)],
  [
    /^command-argument value '(.*)' is invalid for argument '(.+?)'\. (.*)$/s,
    ([value = "", name = "", why = ""]) => invalid(`<${name}>`, value, why),
  ],
  [
    /^option '(.+)' cannot be used with option '(.+)'$/,
    ([a = "", b = ""]) => `${nameOf(a)} and ${nameOf(b)} cannot be combined. Remove one of them.`,
  ],
];

export function complaint(message: string, command: Command): string {
  const plain = message.replace(/^error: /, "").trim();
  for (const [pattern, sentence] of RULES) {
    const match = pattern.exec(plain);
    if (match !== null) return line(sentence(match.slice(1), command));
  }
  return line(plain);
}

/** Our flags for the flags of other tools. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map([
  ["--schema", ["--agent"]],
  ["--format", ["--view"]],
  ["--dir", ["--cwd", "--workspace"]],
  ["--workdir", ["--cwd", "--workspace"]],
  ["--yolo", ["--permissions"]],
  ["--dangerously-skip-permissions", ["--permissions"]],
]);

/** `Unknown option --verison. Did you mean --version?` */
function unknownOption(typed: string, command: Command): string {
  const flag = typed.replace(/=.*/s, "");
  const known = optionsOf(command).flatMap(({ long, short }) => [long, short].filter((name) => name !== undefined));
  const similar = ELSEWHERE.get(flag)?.find((name) => known.includes(name)) ?? (flag.startsWith("--") ? nearest(flag, known) : undefined);
  return `Unknown option ${flag}. ${similar === undefined ? tryHelp(command) : `Did you mean ${similar}?`}`;
}

/** Reports an option-like word in a place where `allowUnknownOption` lets it through: the agent's program is never called `--x`. */
export function rejectOption(word: string | undefined, command: Command): void {
  if (word?.startsWith("-") && word !== "-") command.error(`error: unknown option '${word}'`);
}

function unknownCommand(name: string, command: Command): string {
  const names = command.commands.flatMap((child) => [child.name(), ...child.aliases()]);
  const deeper = command.commands.flatMap((child) => child.commands).find((child) => child.name() === name);
  const similar = nearest(name, names) ?? (deeper === undefined ? undefined : `"${pathOf(deeper)}"`);
  return `Unknown command: ${name}. ${similar === undefined ? tryHelp(command) : `Did you mean ${similar}?`}`;
}

/** After a command that has subcommands, the word was most likely meant as one. */
function unexpectedArgument(command: Command): string {
  const word = command.args[command.registeredArguments.length] ?? "";
  const { parent } = command;
  if (parent !== null && defaultOf(parent) === command && parent.args[0] === word) return unknownCommand(word, parent);
  return `Unexpected argument: ${word}. ${usageOf(command)}`;
}

function invalid(name: string, value: string, why: string): string {
  return `Invalid value for ${name}: ${value === "" ? "(empty)" : value}. ${why.replace(/^Allowed choices are/, "Choose one of:")}`;
}

/** `-p, --prompt <text>` → `--prompt` */
function nameOf(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags.replace(/[ ,].*/, "");
}

function usageOf(command: Command): string {
  return `Usage: ${pathOf(command)} ${command.usage()}`;
}

function tryHelp(command: Command): string {
  return `Run "${pathOf(command)} --help" for help.`;
}

function optionsOf(command: Command) {
  const child = defaultOf(command);
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...(child === undefined ? [] : help.visibleOptions(child))];
}

function line(sentence: string): string {
  const text = printable(sentence).replaceAll("\n", "\\n");
  return `harness: ${text.charAt(0).toUpperCase()}${text.slice(1)}\n`;
}
