export { allTools, type WorkspaceToolOptions } from "./all-tools.ts";
export { parsePatch } from "./parse-patch.ts";
