import { Command } from "commander";
import { addSection, explain } from "../options/index.ts";
import type { BalanceFlags } from "./print-balance.ts";

export function balanceCommand(): Command {
  const command = new Command("balance")
    .description("Count what a data set covers")
    .argument("<prompts>", "the data set")
    .option("-o, --output <file>", "write here (default: standard output)")
    .option("--json", "print one JSON object, even in a terminal")
    .option("--force", "overwrite a file that is not empty")
    .action(async (prompts: string, flags: BalanceFlags) => (await import("./print-balance.ts")).printBalance(prompts, flags));
  explain(command, "A data set is balanced if each value of its metadata has enough cases. Rare values are marked.");
  return addSection(command, "Examples", ["#   harness balance prompts.jsonl"]);
}
