import { Command, Option } from "commander";
import { addSection } from "../options/index.ts";
import type { AdapterScaffoldFlags } from "./scaffold-adapter.ts";

export function adapterScaffoldCommand(): Command {
  const command = new Command("adapter:scaffold")
    .description("Write a small ACP adapter that works, to make your own of.")
    .argument("<name>", "what it is called")
    .addOption(new Option("--lang <language>", "what it is written in").choices(["ts", "python"]).default("ts"))
    .option("-o, --output <dir>", "where it goes; default: a directory of that name")
    .action(async (name: string, flags: AdapterScaffoldFlags) => {
      const { scaffoldAdapter } = await import("./scaffold-adapter.ts");
      await scaffoldAdapter(name, flags);
    });
  return addSection(command, "Examples", ["#   harness adapter:scaffold my-agent", "#   harness adapter:scaffold my-agent --lang python"]);
}
