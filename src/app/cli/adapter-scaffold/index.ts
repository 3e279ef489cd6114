import { Command, Option } from "commander";
import { addSection, explain } from "../options/index.ts";
import type { AdapterScaffoldFlags } from "./scaffold-adapter.ts";

export function adapterScaffoldCommand(): Command {
  const command = new Command("adapter:scaffold")
    .description("Create a small working ACP adapter")
    .argument("<name>", "the name of the adapter")
    .addOption(new Option("--lang <language>", "the language").choices(["ts", "python"]).default("ts"))
    .option("-o, --output <dir>", "the directory to create (default: the name)")
    .action(async (name: string, flags: AdapterScaffoldFlags) => (await import("./scaffold-adapter.ts")).scaffoldAdapter(name, flags));
  explain(
    command,
    "An adapter is a program that speaks the Agent Client Protocol for an agent. This one echoes the prompt; put your agent there.",
  );
  return addSection(command, "Examples", ["#   harness adapter:scaffold my-agent", "#   harness adapter:scaffold my-agent --lang python"]);
}
