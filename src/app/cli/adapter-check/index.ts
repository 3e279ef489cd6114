import { Command } from "commander";
import { addSection, durationOf } from "../options/index.ts";
import type { AdapterCheckFlags } from "./print-adapter-checks.ts";

export function adapterCheckCommand(): Command {
  const command = new Command("adapter:check")
    .description("Ask an ACP adapter one thing, and say what it does right and wrong: exit code 1 if something is wrong.")
    .argument("<command...>", "the adapter's command")
    .allowUnknownOption()
    .option("--prompt <text>", "what it is asked", "Say hello.")
    .option("--timeout <time>", "how long it may take", durationOf, 60_000)
    .option("--json", "one JSON object per check")
    .action(async (words: string[], flags: AdapterCheckFlags) => {
      const { printAdapterChecks } = await import("./print-adapter-checks.ts");
      await printAdapterChecks(words, flags);
    });
  return addSection(command, "Examples", ["#   harness adapter:check goose acp", "#   harness adapter:check node my-adapter.js --json"]);
}
