import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type DataDirectory, ensurePrivate } from "../../../host/recording/index.ts";
import { removeTree } from "../../../host/workspace/index.ts";

/** What a trial has for itself: nothing of another trial is in reach by accident. */
export interface TrialFolders {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly tmp: string;
  /** False once something else is in the place of the workspace: a link would lead us, and the grader, wherever the agent likes. */
  hasWorkspace(): boolean;
  remove(): Promise<void>;
}

export function makeTrialFolders(data: DataDirectory): TrialFolders {
  const work = join(data.root, "evaluations", "work");
  ensurePrivate(data.root, { mayBeLink: true });
  ensurePrivate(work);
  const root = join(work, randomBytes(9).toString("base64url").replace(/^[-_]/, "x"));
  const [workspace, home, tmp] = [join(root, "workspace"), join(root, "home"), join(root, "tmp")];
  for (const folder of [root, workspace, home, tmp]) mkdirSync(folder, { mode: 0o700 });
  return {
    root,
    workspace,
    home,
    tmp,
    hasWorkspace: () => lstatSync(workspace, { throwIfNoEntry: false })?.isDirectory() === true,
    async remove() {
      await removeTree(root);
    },
  };
}
