import { Command } from "commander";
import type { Agent } from "../../core/agent.ts";
import { addSection } from "../help.ts";
import { printList } from "../print-list.ts";
import { agentsCheckCommand } from "./agents-check.ts";

export function agentsCommand(): Command {
  const agents = new Command("agents").description("The agents that can be run and read, and which of them are installed here.");
  const list = new Command("list")
    .description("List them: id, title, other names, programs, the CLI version whose format was seen, and where the program is.")
    .option("--json", "one JSON object per line, also in a terminal")
    .action(run);
  addSection(agents, "Examples", ["harness agents", "harness agents list --json"]);
  addSection(list, "Examples", ["harness agents list", "harness agents list --json"]);
  return agents.addCommand(list, { isDefault: true }).addCommand(agentsCheckCommand());
}

async function run({ json }: { json?: true }): Promise<void> {
  const { agents, programOf, loadSettings } = await import("../actions.ts");
  const { config } = loadSettings();
  const rows = Object.values<Agent>(agents).map((agent) => ({
    id: agent.id,
    title: agent.title,
    aliases: agent.aliases ?? [],
    binaries: agent.binaries,
    seen: agent.seen ?? null,
    installed: programOf(agent, config.agents.get(agent.id)?.binary).path,
  }));
  await printList(rows, { json: json === true });
}
