import { Command } from "commander";
import { addSection } from "../options/index.ts";
import type { BalanceFlags } from "./print-balance.ts";

export function balanceCommand(): Command {
  const command = new Command("balance")
    .description("Say what a data set is made of, and what is hardly in it.")
    .argument("<prompts>", "the data set")
    .option("-o, --output <file>", "where it goes; default: standard output")
    .option("--json", "one JSON object, also in a terminal")
    .option("--force", "overwrite a file that is not empty")
    .action(async (prompts: string, flags: BalanceFlags) => {
      const { printBalance } = await import("./print-balance.ts");
      await printBalance(prompts, flags);
    });
  return addSection(command, "Examples", ["#   harness balance prompts.jsonl"]);
}
