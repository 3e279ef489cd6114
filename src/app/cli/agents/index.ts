import { Command } from "commander";
import { addDefault, addSection, explain } from "../options/index.ts";
import { agentsCheckCommand } from "./agents-check-command.ts";

export function agentsCommand(): Command {
  const agents = new Command("agents").description("List the supported agents, or check one");
  const list = new Command("list")
    .description("List the supported agents and their programs")
    .option("--json", "print one JSON object per line, even in a terminal")
    .action(async ({ json }: { json?: true }) => (await import("./list-agents.ts")).listAgents(json === true));
  explain(agents, "Without a command: list.");
  explain(list, "SEEN is the version of the CLI whose output format was recorded.");
  addSection(agents, "Examples", ["harness agents", "harness agents list --json"]);
  addSection(list, "Examples", ["harness agents list", "harness agents list --json"]);
  return addDefault(agents, list).addCommand(agentsCheckCommand());
}
