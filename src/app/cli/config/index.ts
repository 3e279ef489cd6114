import { Command } from "commander";
import { addSection } from "../options/index.ts";

export function configCommand(): Command {
  const config = new Command("config").description("The settings from harness.toml: what holds here, and where it comes from.");
  const show = new Command("show")
    .description("Show the settings that hold in the working directory, each with the file it comes from.")
    .option("--json", "one JSON object per line, also in a terminal")
    .action(async (flags) => (await import("./config-actions.ts")).showConfig(flags));
  const init = new Command("init")
    .description("Write a commented harness.toml to start from.")
    .option("--user", "your own settings, in place of the working directory's")
    .option("--force", "replace the file if there is one")
    .option("--json", "print where it was written as a JSON object, also in a terminal")
    .action(async (flags) => (await import("./config-actions.ts")).initConfig(flags));
  const path = new Command("path")
    .description("List the files that are read, the one that wins first, also those that do not exist.")
    .option("--json", "one JSON object per line, also in a terminal")
    .action(async (flags) => (await import("./config-actions.ts")).listConfigFiles(flags));
  addSection(config, "Examples", ["harness config show", "harness config path"]);
  addSection(show, "Examples", ["harness config show", "harness config show --json"]);
  addSection(init, "To start with", [
    "harness config init          for this directory and those below",
    "harness config init --user   for you",
  ]);
  addSection(path, "Examples", ["harness config path", "harness config path --json"]);
  return config.addCommand(show, { isDefault: true }).addCommand(init).addCommand(path);
}
