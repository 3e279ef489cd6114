/** Settings from `harness.toml`. */

export { type Config, registeredAgents, resolveModel, settingsFor } from "./config.ts";
export { configFiles } from "./config-files.ts";
export { type LoadedConfig, loadConfig } from "./load-config.ts";
export type { Setting, SettingValue } from "./setting.ts";
export { writeTemplate } from "./write-template.ts";
