import { Command, Option } from "commander";
import { addSection, explain, limitOf, rejectOption } from "../options/index.ts";
import type { AdapterCheckFlags } from "./print-adapter-checks.ts";

export function adapterCheckCommand(): Command {
  const command = new Command("adapter:check")
    .description("Check that an ACP adapter follows the protocol")
    .argument("<command...>", "the command that starts the adapter")
    .allowUnknownOption()
    .option("--prompt <text>", "the prompt to send", "Say hello.")
    .addOption(new Option("--timeout <time>", "the time limit: 30s, 2m, or milliseconds").argParser(limitOf).default(60_000, "60s"))
    .option("--json", "print one JSON object per check")
    .action(async (adapterCommand: string[], flags: AdapterCheckFlags, self: Command) => {
      rejectOption(adapterCommand[0], self);
      const { printAdapterChecks } = await import("./print-adapter-checks.ts");
      await printAdapterChecks(adapterCommand, flags);
    });
  explain(
    command,
    "Specification 004 calls a program that speaks the Agent Client Protocol for an agent an adapter. Sends it one prompt and checks each answer. Exit code 1: a check failed.",
  );
  return addSection(command, "Examples", ["#   harness adapter:check goose acp", "#   harness adapter:check node my-adapter.js --json"]);
}
