import { mkdirSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type DataDirectory, ensurePrivate } from "../../../host/recording/index.ts";
import { fetchTemplate, type Objects, snapshot } from "../../../host/workspace/index.ts";
import type { PreparedTemplate } from "../trial/index.ts";

/** The workspaces that cases begin with, each fetched and looked at once. */
export interface Templates {
  /** Of a case: `name` is relative to the data set; undefined is an empty workspace. */
  prepare(name: string | undefined): Promise<PreparedTemplate>;
}

export function openTemplates(data: DataDirectory, scratch: string, objects: Objects, datasetPath: string): Templates {
  const known = new Map<string, Promise<PreparedTemplate>>();
  const cache = join(data.root, "evaluations", "templates");

  async function prepared(name: string): Promise<PreparedTemplate> {
    ensurePrivate(cache);
    const to = join(scratch, `before-${known.size}.jsonl`);
    if (name === "") {
      const empty = join(scratch, "empty");
      mkdirSync(empty, { mode: 0o700 });
      return { before: await snapshot(empty, { to, keep: objects }) };
    }
    const { path } = await fetchTemplate(isLocal(name) && !isAbsolute(name) ? resolve(dirname(datasetPath), name) : name, cache);
    return { path, before: await snapshot(path, { to, keep: objects }) };
  }

  return {
    prepare(name = "") {
      const found = known.get(name) ?? prepared(name);
      known.set(name, found);
      return found;
    },
  };
}

/** A path, and not the address of a repository. */
function isLocal(name: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(name) && !/^[^/]+@[^/]+:/.test(name);
}
