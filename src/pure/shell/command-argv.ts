import { parse } from "unbash";
import { readArgument } from "./argument.ts";
import { isTooLong } from "./classify.ts";

/** The arguments of a simple command without quotes, program first; undefined if a shell would do more than split it. */
export function commandArgv(text: string): readonly string[] | undefined {
  if (isTooLong(text)) return undefined;
  const { commands, errors } = parse(text);
  const [statement, ...others] = commands;
  const command = statement?.command;
  if ((errors?.length ?? 0) > 0 || others.length > 0 || command?.type !== "Command" || statement?.background) return undefined;
  if (command.name === undefined || command.prefix.length > 0 || command.redirects.length > 0) return undefined;
  const words = [command.name, ...command.args].map((word) => (word.type === "Word" ? readArgument(word) : undefined));
  return words.every((word) => word !== undefined && !word.variable && !word.splits && !word.runs)
    ? words.map((word) => word?.value ?? "")
    : undefined;
}
