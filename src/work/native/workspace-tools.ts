import type { SdkTools } from "./tool.ts";
import type { WorkspaceToolOptions } from "./tools/index.ts";

/** The tools that change nothing, which every level of `--permissions` allows. */
export const readingTools: readonly string[] = ["read", "search", "list", "task"];

/** read, search, list, write, edit, apply_patch, shell and task, for any loop that takes tools of the AI SDK. */
export async function workspaceTools(options: WorkspaceToolOptions): Promise<SdkTools> {
  return (await import("./tools/index.ts")).allTools(options);
}
