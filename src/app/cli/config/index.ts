import { existsSync } from "node:fs";
import { Command } from "commander";
import type { Setting, SettingValue } from "../../../host/config/setting.ts";
import { printList } from "../../terminal/print-list.ts";
import { currentDirectory } from "../options/current-directory.ts";
import { addSection } from "../options/help.ts";

interface Json {
  readonly json?: true;
}

export function configCommand(): Command {
  const config = new Command("config").description("The settings from harness.toml: what holds here, and where it comes from.");
  const show = new Command("show")
    .description("Show the settings that hold in the working directory, each with the file it comes from.")
    .option("--json", "one JSON object per line, also in a terminal")
    .action(runShow);
  const init = new Command("init")
    .description("Write a commented harness.toml to start from.")
    .option("--user", "your own settings, in place of the working directory's")
    .option("--force", "replace the file if there is one")
    .option("--json", "print where it was written as a JSON object, also in a terminal")
    .action(runInit);
  const path = new Command("path")
    .description("List the files that are read, the one that wins first, also those that do not exist.")
    .option("--json", "one JSON object per line, also in a terminal")
    .action(runPath);
  addSection(config, "Examples", ["harness config show", "harness config path"]);
  addSection(show, "Examples", ["harness config show", "harness config show --json"]);
  addSection(init, "To start with", [
    "harness config init          for this directory and those below",
    "harness config init --user   for you",
  ]);
  addSection(path, "Examples", ["harness config path", "harness config path --json"]);
  return config.addCommand(show, { isDefault: true }).addCommand(init).addCommand(path);
}

/** These are shown also where nobody has set them. */
const GENERAL = ["agent", "model", "permissions", "timeout", "idle-timeout", "view", "tags", "secrets"];

async function runShow({ json }: Json): Promise<void> {
  const { loadSettings } = await import("../actions.ts");
  const { config, settings } = loadSettings();
  const set = new Map(settings.map((setting) => [setting.key, setting]));
  const rows = GENERAL.map((key) => rowOf(key, set.get(key), config.secrets));
  const others = settings.filter(({ key }) => !GENERAL.includes(key)).sort((a, b) => (a.key < b.key ? -1 : 1));
  await printList([...rows, ...others.map((setting) => rowOf(setting.key, setting, config.secrets))], { json: json === true });
}

function rowOf(key: string, setting: Setting | undefined, secrets: readonly string[]) {
  if (setting === undefined) return { key, value: null, file: null };
  const value = isSecret(setting, secrets) ? HIDDEN : textOf(setting.value);
  return { key, value, file: setting.file };
}

const HIDDEN = "(hidden)";

/** A variable whose name says so, or that is listed as one. */
function isSecret({ path }: Setting, secrets: readonly string[]): boolean {
  const name = path.at(-1) ?? "";
  return path.at(-2) === "env" && (secrets.includes(name) || /KEY|TOKEN|SECRET|PASSWORD/i.test(name));
}

function textOf(value: SettingValue): string | readonly string[] {
  return typeof value === "number" ? String(value) : value;
}

async function runPath({ json }: Json): Promise<void> {
  const { configFiles } = await import("../actions.ts");
  const files = configFiles({ cwd: currentDirectory(), env: process.env });
  const rows = files.map(({ path, scope }) => ({ path, scope, state: existsSync(path) ? "found" : "absent" }));
  await printList(rows, { json: json === true });
}

async function runInit({ user, force, json }: Json & { user?: true; force?: true }): Promise<void> {
  const { writeTemplate } = await import("../actions.ts");
  const scope = user === true ? ("user" as const) : ("project" as const);
  const path = writeTemplate(scope, { cwd: currentDirectory(), env: process.env }, { force: force === true });
  await printList([{ path, scope }], { json: json === true });
}
