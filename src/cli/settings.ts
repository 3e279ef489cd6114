import { agents } from "../agents/index.ts";
import { type LoadedConfig, loadConfig } from "../config/load-config.ts";
import { views } from "../views/index.ts";

/** The settings that hold in a directory, checked against the agents and views there are. */
export function loadSettings(cwd: string = process.cwd()): LoadedConfig {
  return loadConfig({ cwd, env: process.env, agents: Object.values(agents), views: Object.keys(views) });
}
