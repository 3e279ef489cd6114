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
export async function workspaceTools({ root, readOnly = false, shell, environment }: WorkspaceToolOptions): Promise<Tools> {
  const [{ workspaceFiles }, ...made] = await Promise.all([
    import("./workspace-files.ts"),
    import("./tools/read-tool.ts"),
    import("./tools/search-tool.ts"),
    import("./tools/list-tool.ts"),
    import("./tools/task-tool.ts"),
    import("./tools/write-tool.ts"),
    import("./tools/edit-tool.ts"),
    import("./tools/apply-patch-tool.ts"),
    import("./tools/shell-tool.ts"),
  ]);
  const [{ readTool }, { searchTool }, { listTool }, { taskTool }, { writeTool }, { editTool }, { applyPatchTool }, { shellTool }] = made;
  const files = workspaceFiles(root);
  const reading = { read: readTool(files), search: searchTool(files), list: listTool(files), task: taskTool() };
  if (readOnly) return reading;
  return {
    ...reading,
    write: writeTool(files),
    edit: editTool(files),
    apply_patch: applyPatchTool(files),
    shell: shellTool(files, shell, environment),
  };
}
