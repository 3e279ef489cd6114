import { randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { makePrivatePlace, type PrivatePlace } from "../../../host/process/index.ts";
import { type DataDirectory, ensurePrivate, type WallPlan } from "../../../host/recording/index.ts";
import { removeTree } from "../../../host/workspace/index.ts";

/** The walls around an agent in a trial, the best first: without them it could read the answers. */
export function wallsOfTrial(home: "private" | "inherit"): WallPlan {
  if (home === "private") return { usual: ["files", "process"] };
  return { usual: ["process"], unfit: [{ level: "files", why: "The agent was given your home directory." }] };
}

/** The private folders of a trial. */
export interface TrialFolders extends PrivatePlace {
  /** False once the workspace was replaced: a link would lead us and the grader wherever the agent likes. */
  hasWorkspace(): boolean;
  remove(): Promise<void>;
}

export function makeTrialFolders(data: DataDirectory): TrialFolders {
  const work = join(data.root, "evaluations", "work");
  ensurePrivate(data.root, { mayBeLink: true });
  ensurePrivate(work);
  const place = makePrivatePlace(join(work, randomBytes(9).toString("base64url").replace(/^[-_]/, "x")));
  return {
    ...place,
    hasWorkspace() {
      try {
        return lstatSync(place.workspace).isDirectory();
      } catch {
        return false;
      }
    },
    async remove() {
      await removeTree(place.root);
    },
  };
}
