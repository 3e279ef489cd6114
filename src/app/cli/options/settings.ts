import { isAbsolute, resolve } from "node:path";
import { type LoadedConfig, loadConfig } from "../../../host/config/index.ts";
import { agents } from "../../../pure/agents/index.ts";
import { views } from "../../../pure/views/index.ts";
import { currentDirectory } from "./current-directory.ts";

/** The settings in effect in a directory, checked against the known agents and views. */
export function loadSettings(directory = "."): LoadedConfig {
  const cwd = isAbsolute(directory) ? directory : resolve(currentDirectory(), directory);
  return loadConfig({ cwd, env: process.env, agents: Object.values(agents), views: Object.keys(views) });
}
