export { opencode, opencodeCommand, opencodeTools, opencodeWithheld, openOpencode, READ_ONLY } from "./agent.ts";
export { lspTool, patchTool, readTool, searchTool, type Tool, writeTool } from "./calls.ts";
export { stderrLine } from "./fields.ts";
export { opencodeStore, opencodeStoreOf } from "./store.ts";
