import type { SdkTools } from "../tool.ts";
import { workspaceFiles } from "../workspace-files.ts";
import { applyPatchTool } from "./apply-patch-tool.ts";
import { backgroundTools } from "./background.ts";
import { editTool } from "./edit-tool.ts";
import { listTool } from "./list-tool.ts";
import { readTool } from "./read-tool.ts";
import { searchTool } from "./search-tool.ts";
import { seenFiles } from "./seen-files.ts";
import { type ShellLimits, shellTool } from "./shell-tool.ts";
import { taskTool } from "./task-tool.ts";
import { writeTool } from "./write-tool.ts";

export interface WorkspaceToolOptions {
  /** The directory that they work in and cannot leave. */
  readonly root: string;
  /** Only the tools that change nothing. */
  readonly readOnly?: boolean;
  readonly shell?: ShellLimits;
  /** The environment of commands. Default: ours, without the keys of models. */
  readonly environment?: NodeJS.ProcessEnv;
}

export function allTools({ root, readOnly = false, shell, environment }: WorkspaceToolOptions): SdkTools {
  const files = workspaceFiles(root);
  const seen = seenFiles();
  const reading = { read: readTool(files, seen), search: searchTool(files), list: listTool(files), task: taskTool() };
  if (readOnly) return reading;
  return {
    ...reading,
    write: writeTool(files, seen),
    edit: editTool(files, seen),
    apply_patch: applyPatchTool(files, seen),
    shell: shellTool(files, shell, environment),
    ...backgroundTools(shell?.characters ?? 30_000),
  };
}
