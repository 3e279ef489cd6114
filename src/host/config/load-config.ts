import { join, resolve } from "node:path";
import { parseDuration } from "../../pure/base/index.ts";
import type { Permissions } from "../../pure/pipeline/index.ts";
import { parseResourceLimits } from "../limits/index.ts";
import type { AgentConfig, Config } from "./config.ts";
import { type ConfigFile, configFiles, homeOf, type Surroundings, userConfigFile } from "./config-files.ts";
import { type ConfigText, readConfigFile } from "./read-config-file.ts";
import { readSettings } from "./read-settings.ts";
import type { Known } from "./schema.ts";
import { keyOf, type Setting } from "./setting.ts";

export interface LoadedConfig {
  readonly config: Config;
  /** The files that were found, in order of precedence. */
  readonly files: readonly ConfigFile[];
  /** The same settings one by one, as written, each with its file. */
  readonly settings: readonly Setting[];
  /** What a project's file may not decide: a sentence for each setting that was left out. */
  readonly ignored: readonly string[];
}

/**
 * The settings that apply in a directory; each value comes from the nearest file that has it, but the agent from the user's own file if it
 * names one. A file that is unreadable, invalid or sets a
 * key it may not set throws a `HarnessError` with one sentence.
 */
export function loadConfig(around: Surroundings & Known): LoadedConfig {
  const found = readFiles(configFiles(around));
  const own = found.find(({ scope }) => scope === "user");
  // The working directory may hold the user's own settings file, under a different path.
  const files = found.filter((file) => file === own || file.identity !== own?.identity);
  const user = userConfigFile(around);
  const users = own === undefined ? [] : readSettings({ ...own, user }, around);
  const known = { ...around, agents: around.agents && [...around.agents, ...registeredIn(users)] };
  const ignored: string[] = [];
  const chosen = users.filter(({ key }) => key === "agent");
  const settings = new Map<string, Setting>(chosen.map((setting) => [setting.key, setting]));
  for (const file of files) {
    const read = file === own ? users : readSettings({ ...file, user }, known, ignored);
    for (const setting of read) if (!settings.has(setting.key)) settings.set(setting.key, setting);
  }
  return {
    config: configOf(settings, homeOf(around)),
    files: files.map(({ path, scope }) => ({ path, scope })),
    settings: [...settings.values()],
    ignored,
  };
}

/** The user-defined agents: a project's file may take their permissions away. */
function registeredIn(settings: readonly Setting[]): readonly { readonly id: string }[] {
  return settings.flatMap(({ path: [first, id, key] }) => (first === "agents" && id !== undefined && key === "file" ? [{ id }] : []));
}

function readFiles(files: readonly ConfigFile[]): readonly (ConfigFile & ConfigText)[] {
  return files.flatMap((file) => {
    const read = readConfigFile(file.path);
    return read === undefined ? [] : [{ ...file, ...read }];
  });
}

function configOf(settings: ReadonlyMap<string, Setting>, home: string | undefined): Config {
  const all = [...settings.values()];
  const general = reader(settings, []);
  const ids = new Set(all.flatMap(({ path: [first, id] }) => (first === "agents" && id !== undefined ? [id] : [])));
  return {
    agent: general.text("agent"),
    model: general.text("model"),
    permissions: general.permissions(),
    isolate: general.text("isolate"),
    network: general.text("network"),
    timeout: general.duration("timeout"),
    idleTimeout: general.duration("idle-timeout"),
    limit: parseResourceLimits(general.text("limit") ?? ""),
    view: general.text("view"),
    tags: general.list("tags"),
    env: general.table("env"),
    secrets: general.list("secrets"),
    agents: new Map([...ids].map((id) => [id, agentConfigOf(settings, id, home)])),
  };
}

function agentConfigOf(settings: ReadonlyMap<string, Setting>, id: string, home: string | undefined): AgentConfig {
  const own = reader(settings, ["agents", id]);
  const binary = settings.get(keyOf(["agents", id, "binary"]));
  const file = settings.get(keyOf(["agents", id, "file"]));
  return {
    ...(file === undefined ? {} : { file: fileOf(String(file.value), file.file, home) }),
    binary: binary === undefined ? undefined : programOf(String(binary.value), binary.file, home),
    model: own.text("model"),
    permissions: own.permissions(),
    args: own.list("args"),
    models: own.table("models"),
    env: own.table("env"),
  };
}

/** A path is relative to the file it is written in. */
function fileOf(written: string, file: string, home: string | undefined): string {
  if (written.startsWith("~/") && home !== undefined) return join(home, written.slice(2));
  return resolve(file, "..", written);
}

/** Like `fileOf`, but a bare program name stays unchanged. */
function programOf(written: string, file: string, home: string | undefined): string {
  return written.includes("/") ? fileOf(written, file, home) : written;
}

/** The values of one table; the schema has already checked them. */
function reader(settings: ReadonlyMap<string, Setting>, under: readonly string[]) {
  const value = (name: string) => settings.get(keyOf([...under, name]))?.value;
  const text = (name: string) => {
    const found = value(name);
    return typeof found === "string" ? found : undefined;
  };
  return {
    text,
    permissions: () => text("permissions") as Permissions | undefined,
    duration(name: string) {
      const found = value(name);
      return found === undefined ? undefined : parseDuration(String(found));
    },
    list(name: string): readonly string[] {
      const found = value(name);
      return Array.isArray(found) ? found : [];
    },
    table(name: string): ReadonlyMap<string, string> {
      const prefix = [...under, name];
      const inside = [...settings.values()].filter(
        ({ path }) => path.length > prefix.length && prefix.every((part, i) => path[i] === part),
      );
      return new Map(inside.map(({ path, value }) => [path.at(-1) ?? "", String(value)]));
    },
  };
}
