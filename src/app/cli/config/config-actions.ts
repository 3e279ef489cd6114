import { existsSync } from "node:fs";
import { configFiles, type Setting, type SettingValue } from "../../../host/config/index.ts";
import { isSecretName } from "../../../host/secrets/index.ts";
import { printList, say, withFlags } from "../../terminal/index.ts";
import { currentDirectory, loadSettings } from "../options/index.ts";
import { writeSettings } from "./write-settings.ts";

interface Json {
  readonly json?: true;
}

/** Shown even if they are not set. */
const GENERAL = ["agent", "model", "permissions", "isolate", "network", "timeout", "idle-timeout", "limit", "view", "tags", "secrets"];

export async function showConfig({ json }: Json): Promise<void> {
  const { config, settings, ignored } = loadSettings();
  for (const sentence of ignored) say(withFlags(sentence));
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

/** A variable with a name that says so, or one listed under `secrets`. */
function isSecret({ path }: Setting, secrets: readonly string[]): boolean {
  const name = path.at(-1) ?? "";
  return path.at(-2) === "env" && (secrets.includes(name) || isSecretName(name));
}

function textOf(value: SettingValue): string | readonly string[] {
  return typeof value === "number" ? String(value) : value;
}

export async function listConfigFiles({ json }: Json): Promise<void> {
  const files = configFiles({ cwd: currentDirectory(), env: process.env });
  const rows = files.map(({ path, scope }) => ({ path, scope, state: existsSync(path) ? "found" : "absent" }));
  await printList(rows, { json: json === true });
}

export async function initConfig({ user, force, json }: Json & { user?: true; force?: true }): Promise<void> {
  const scope = user === true ? ("user" as const) : ("project" as const);
  const path = writeSettings(scope, { cwd: currentDirectory(), env: process.env }, { force: force === true });
  await printList([{ path, scope }], { json: json === true });
}
