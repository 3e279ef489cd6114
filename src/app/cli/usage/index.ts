import { Command, Option } from "commander";
import { addSection, explain, timeOf } from "../options/index.ts";

export function usageCommand(): Command {
  const command = new Command("usage")
    .description("Add up tokens and cost of recorded runs")
    .addOption(
      new Option("--by <grouping>", "group runs by this (default: day)").choices([
        "day",
        "week",
        "month",
        "model",
        "agent",
        "project",
        "session",
      ]),
    )
    .option("--since <time>", "only runs that started since: 12h, 30d, 2026-11-01", timeOf)
    .option("--agent <agent>", "only runs of this agent")
    .option("--project <dir>", "only runs in this directory, or in one below it")
    .option("--json", "print one JSON object per line, even in a terminal")
    .action(async (flags) => (await import("./print-usage.ts")).printUsage(flags));
  explain(
    command,
    "Counts runs and imported sessions; a session counts once. The cost is the agent's own figure, or the price of its tokens, which is marked with a tilde.",
  );
  return addSection(command, "Examples", ["harness usage", "harness usage --by model --since 30d --json"]);
}
