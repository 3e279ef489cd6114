import { Command } from "commander";
import { addSection } from "../options/index.ts";

export function helpCommand(): Command {
  const command = new Command("help").description("Show the help of a command.").argument("[command...]", "its name").action(run);
  return addSection(command, "Examples", ["harness help derive", "harness help agents list"]);
}

function run(names: readonly string[], _options: unknown, command: Command): void {
  const program = command.parent ?? command;
  let target = program;
  for (const name of names) {
    const child = target.commands.find((candidate) => candidate.name() === name);
    if (child === undefined) return program.error(`error: unknown command '${names.join(" ")}'`);
    target = child;
  }
  target.help();
}
