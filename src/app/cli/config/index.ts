import { Command } from "commander";
import { addDefault, addSection, explain } from "../options/index.ts";

export function configCommand(): Command {
  const config = new Command("config").description("Show or create the settings in harness.toml");
  const show = new Command("show")
    .description("Show the settings in effect and their files")
    .option("--json", "print one JSON object per line, even in a terminal")
    .action(async (flags) => (await import("./config-actions.ts")).showConfig(flags));
  const init = new Command("init")
    .description("Create a harness.toml with comments")
    .option("--user", "create your user settings instead of this directory's")
    .option("--force", "replace an existing file")
    .option("--json", "print the path as a JSON object, even in a terminal")
    .action(async (flags) => (await import("./config-actions.ts")).initConfig(flags));
  const path = new Command("path")
    .description("List the settings files, the strongest first")
    .option("--json", "print one JSON object per line, even in a terminal")
    .action(async (flags) => (await import("./config-actions.ts")).listConfigFiles(flags));
  explain(config, "Without a command: show.");
  explain(init, "The settings hold in this directory and below. With --user, they hold for you everywhere.");
  explain(path, "Lists files that do not exist too, to show where a file would be read.");
  addSection(config, "Examples", ["harness config show", "harness config path"]);
  addSection(show, "Examples", ["harness config show", "harness config show --json"]);
  addSection(init, "Examples", ["harness config init"]);
  addSection(path, "Examples", ["harness config path", "harness config path --json"]);
  return addDefault(config, show).addCommand(init).addCommand(path);
}
