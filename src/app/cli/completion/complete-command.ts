import { Command } from "commander";

/** The scripts of `harness completion` call it with the arguments typed so far; the last one is to be completed. */
export function completeCommand(): Command {
  return new Command("complete")
    .description("Answer a shell's completion request")
    .usage("-- [args...]")
    .argument("[args...]", "the arguments typed so far")
    .action(async (typed: string[], _options: unknown, command: Command) =>
      (await import("./complete.ts")).complete(command.parent ?? command, typed),
    );
}
