/** Settings from `harness.toml`. */

export { type Config, registeredAgents, resolveModel, settingsFor } from "./config.ts";
export { CONFIG_NAME, type ConfigFile, configFiles, type Surroundings, userConfigFile } from "./config-files.ts";
export { type LoadedConfig, loadConfig } from "./load-config.ts";
export type { Setting, SettingValue } from "./setting.ts";
