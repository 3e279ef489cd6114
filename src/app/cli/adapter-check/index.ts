import { Command } from "commander";
import { addSection } from "../options/help.ts";
import { durationOf } from "../options/option-values.ts";

export interface AdapterCheckFlags {
  readonly prompt: string;
  readonly timeout: number;
  readonly json?: true;
}

export function adapterCheckCommand(): Command {
  const command = new Command("adapter:check")
    .description("Ask an ACP adapter one thing, and say what it does right and wrong: exit code 1 if something is wrong.")
    .argument("<command...>", "the adapter's command")
    .allowUnknownOption()
    .option("--prompt <text>", "what it is asked", "Say hello.")
    .option("--timeout <time>", "how long it may take", durationOf, 60_000)
    .option("--json", "one JSON object per check")
    .action(async (words: string[], flags: AdapterCheckFlags) => {
      const { checkAdapter } = await import("../evaluation/actions.ts");
      await checkAdapter(words, flags);
    });
  return addSection(command, "Examples", ["#   harness adapter:check goose acp", "#   harness adapter:check node my-adapter.js --json"]);
}
