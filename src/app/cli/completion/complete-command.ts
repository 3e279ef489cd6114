import { Command } from "commander";

/** What the scripts of `harness completion` ask: the words typed so far, the last one being the one to complete. */
export function completeCommand(): Command {
  return new Command("complete")
    .description("Answer a shell's completion request.")
    .usage("-- [word...]")
    .argument("[word...]", "the words typed so far")
    .action(async (words: string[], _options: unknown, command: Command) => {
      const { complete } = await import("./complete.ts");
      await complete(command.parent ?? command, words);
    });
}
