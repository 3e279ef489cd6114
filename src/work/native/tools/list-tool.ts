import { z } from "zod";
import { budgetOf, walk } from "../../../host/workspace/index.ts";
import { isLike } from "../../../pure/base/index.ts";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { ourTool } from "./our-tool.ts";

/** Large directories that are rarely useful. */
export const UNLISTED = [".git", "node_modules"];

const MOST = 1000;
const PATIENCE_MS = 10_000;

export const listTool = (files: WorkspaceFiles) =>
  ourTool({
    description: `Lists a directory of the workspace; with a pattern, all files below it with a matching path or name (* and ?). Leaves ${UNLISTED.join(" and ")} out.`,
    shape: {
      path: z.string().optional().describe("The directory; default: the workspace's root"),
      pattern: z.string().optional().describe("Such as *.ts or src/*/index.ts"),
    },
    run({ path = ".", pattern }) {
      const directory = files.openDirectory(path);
      const found: string[] = [];
      let isCut = false;
      try {
        for (const entry of entriesIn(directory.at, pattern !== undefined)) {
          if (pattern !== undefined && !isLike(entry, pattern) && !isLike(entry.split("/").at(-1) ?? "", pattern)) continue;
          isCut = found.length === MOST;
          if (isCut) break;
          found.push(entry);
        }
      } finally {
        directory.close();
      }
      const rest = isCut ? `\n… (more than ${MOST})` : "";
      const context =
        found.length === 0 ? (pattern === undefined ? "(the directory is empty)" : "(nothing matches)") : found.join("\n") + rest;
      return { context, result: { path: directory.path || ".", entries: found.length, truncated: isCut } };
    },
  });

/** Paths from the directory; directories end in a slash. */
function* entriesIn(directory: string, isDeep: boolean): Generator<string> {
  const budget = budgetOf({ milliseconds: PATIENCE_MS });
  let hidden: string | undefined; // a directory to skip
  for (const step of walk(directory, { ignore: UNLISTED, budget, mayBeLink: true })) {
    if (budget.expired()) return;
    if (step.step === "leave" && step.path === hidden) hidden = undefined;
    if (hidden !== undefined || step.path === "") continue;
    if (step.step === "enter") {
      if (!isDeep) hidden = step.path;
      if (!isDeep) yield `${step.path}/`;
    } else if (step.step === "entry") yield step.path;
  }
}
