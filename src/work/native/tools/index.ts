export { allTools, type WorkspaceToolOptions } from "./all-tools.ts";
