import { Command } from "commander";
import { addSection } from "../options/index.ts";
import { agentsCheckCommand } from "./agents-check-command.ts";

export function agentsCommand(): Command {
  const agents = new Command("agents").description("The agents that can be run and read, and which of them are installed here.");
  const list = new Command("list")
    .description("List them: id, title, other names, programs, the CLI version whose format was seen, and where the program is.")
    .option("--json", "one JSON object per line, also in a terminal")
    .action(async ({ json }: { json?: true }) => (await import("./list-agents.ts")).listAgents(json === true));
  addSection(agents, "Examples", ["harness agents", "harness agents list --json"]);
  addSection(list, "Examples", ["harness agents list", "harness agents list --json"]);
  return agents.addCommand(list, { isDefault: true }).addCommand(agentsCheckCommand());
}
