import { Command } from "commander";
import { addSection } from "../options/index.ts";

export function helpCommand(): Command {
  const command = new Command("help").description("Show the help of a command").argument("[command-name...]", "the command").action(run);
  return addSection(command, "Examples", ["harness help derive", "harness help runs list"]);
}

function run(names: readonly string[], _options: unknown, command: Command): void {
  let target = command.parent ?? command;
  for (const name of names) {
    const child = target.commands.find((command) => command.name() === name || command.aliases().includes(name));
    if (child === undefined) return target.error(`error: unknown command '${name}'`);
    target = child;
  }
  target.help();
}
