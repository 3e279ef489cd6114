import { Command, Option } from "commander";
import { addSection } from "../options/help.ts";

export interface AdapterScaffoldFlags {
  readonly lang: "ts" | "python";
  readonly output?: string;
}

export function adapterScaffoldCommand(): Command {
  const command = new Command("adapter:scaffold")
    .description("Write a small ACP adapter that works, to make your own of.")
    .argument("<name>", "what it is called")
    .addOption(new Option("--lang <language>", "what it is written in").choices(["ts", "python"]).default("ts"))
    .option("-o, --output <dir>", "where it goes; default: a directory of that name")
    .action(async (name: string, flags: AdapterScaffoldFlags) => {
      const { scaffoldAdapter } = await import("../evaluation/actions.ts");
      await scaffoldAdapter(name, flags);
    });
  return addSection(command, "Examples", ["#   harness adapter:scaffold my-agent", "#   harness adapter:scaffold my-agent --lang python"]);
}
