import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pinFiles } from "../../../host/files/index.ts";
import { type DataDirectory, ensurePrivate } from "../../../host/recording/index.ts";
import {
  copyTree,
  fetchTemplate,
  type Manifest,
  NOT_KEPT,
  type Objects,
  rebuild,
  removeTree,
  snapshot,
} from "../../../host/workspace/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";

/** The workspace that trials start with. It is read once: what an earlier trial writes there reaches no later one. */
export interface PreparedTemplate {
  readonly before: Manifest;
  /** Fills an empty directory. Throws if what was read is no longer what it was. */
  fill(directory: string, signal: AbortSignal): Promise<void>;
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
      return { before: await snapshot(empty, { to, keep: objects }), async fill() {} };
    }
    const path = await templatePath(workspace, data);
    const before = await snapshot(path, { to, keep: objects });
    const pins = pinFiles([to]);
    return {
      before,
      async fill(directory, signal) {
        const changed = pins.changed();
        if (changed !== undefined)
          throw new HarnessError("input", `A workspace changed during the evaluation: ${changed}. Start it again.`);
        const { notMade } = await rebuild(before, objects, directory);
        if (!notMade.some(({ reason }) => reason === NOT_KEPT)) return;
        await removeTree(directory); // it is too large to keep
        await copyTree(path, directory, { signal });
      },
    };
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
