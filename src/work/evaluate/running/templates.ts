import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type DataDirectory, ensurePrivate } from "../../../host/recording/index.ts";
import { fetchTemplate, type Manifest, type Objects, snapshot } from "../../../host/workspace/index.ts";

/** A workspace to copy for every trial. It is scanned once, because all trials start with the same. */
export interface PreparedTemplate {
  /** Undefined for an empty workspace. */
  readonly path?: string;
  readonly before: Manifest;
}

/** The workspaces that trials start with, each fetched and scanned once. */
export interface Templates {
  prepare(workspace: string | undefined): Promise<PreparedTemplate>;
}

export function openTemplates(data: DataDirectory, scratch: string, objects: Objects): Templates {
  const known = new Map<string, Promise<PreparedTemplate>>();

  async function prepared(workspace: string): Promise<PreparedTemplate> {
    const to = join(scratch, `before-${known.size}.jsonl`);
    if (workspace === "") {
      const empty = join(scratch, "empty");
      mkdirSync(empty, { mode: 0o700 });
      return { before: await snapshot(empty, { to, keep: objects }) };
    }
    const path = await templatePath(workspace, data);
    return { path, before: await snapshot(path, { to, keep: objects }) };
  }

  return {
    prepare(workspace = "") {
      const found = known.get(workspace) ?? prepared(workspace);
      known.set(workspace, found);
      return found;
    },
  };
}

/** The path of a workspace's files: the folder itself, or a repository in the cache. */
export async function templatePath(workspace: string, data: DataDirectory): Promise<string> {
  const cache = join(data.root, "evaluations", "templates");
  ensurePrivate(cache);
  return (await fetchTemplate(workspace, cache)).path;
}
