import { Command } from "commander";
import type { Agent } from "../../core/agent.ts";
import { addSection } from "../help.ts";
import { printList } from "../print-list.ts";

export function agentsCommand(): Command {
  const agents = new Command("agents").description("The agents whose output can be read.");
  const list = new Command("list")
    .description("List them: id, title, other names, programs, and the CLI version whose format was seen.")
    .option("--json", "one JSON object per line, also in a terminal")
    .action(run);
  addSection(agents, "Examples", ["harness agents", "harness agents list --json"]);
  addSection(list, "Examples", ["harness agents list", "harness agents list --json"]);
  return agents.addCommand(list, { isDefault: true });
}

async function run({ json }: { json?: true }): Promise<void> {
  const { agents } = await import("../../agents/index.ts");
  const rows = Object.values<Agent>(agents).map(({ id, title, aliases, binaries, seen }) => ({
    id,
    title,
    aliases: aliases ?? [],
    binaries,
    seen: seen ?? null,
  }));
  await printList(rows, { json: json === true });
}
