import type { Tools } from "./tool-schema.ts";
import type { ShellLimits } from "./tools/shell-tool.ts";

export interface WorkspaceToolOptions {
  /** The directory that they work in, and do not leave. */
  readonly root: string;
  /** Only those that change nothing. */
  readonly readOnly?: boolean;
  readonly shell?: ShellLimits;
  /** What commands inherit. Default: our own environment, without the keys of models. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** The tools that change nothing: what `--permissions` permits by itself. */
export const readingTools: readonly string[] = ["read", "search", "list", "task"];

/** read, search, list, write, edit, apply_patch, shell and task, for any loop that takes tools of the AI SDK. */
export async function workspaceTools(options: WorkspaceToolOptions): Promise<Tools> {
  return (await import("./tools/all-tools.ts")).allTools(options);
}
