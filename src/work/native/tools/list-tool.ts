import { z } from "zod";
import { budgetOf, walk } from "../../../host/workspace/index.ts";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { filesBelow, UNLISTED } from "./found-files.ts";
import { ourTool } from "./our-tool.ts";
import { pathGlob } from "./path-glob.ts";

const MOST = 1000;
const PATIENCE_MS = 10_000;

export const listTool = (files: WorkspaceFiles) =>
  ourTool({
    description: `Lists a directory of the workspace; with a pattern, all files below it with a matching path or name, except those in .gitignore. Leaves ${UNLISTED.join(" and ")} out.`,
    onlyReads: true,
    shape: {
      path: z.string().optional().describe("The directory; default: the workspace's root"),
      pattern: z.string().optional().describe("A glob, such as *.ts, **/*.{js,ts} or src/*/index.ts"),
      no_ignore: z.boolean().optional().describe("Also files in .gitignore"),
    },
    run({ path = ".", pattern, no_ignore = false }) {
      const directory = files.openDirectory(path);
      const found: string[] = [];
      let [isCut, isLate] = [false, false];
      const onLate = () => {
        isLate = true;
      };
      try {
        const options = { ignoresNothing: no_ignore, limits: { milliseconds: PATIENCE_MS }, onLate };
        const matches = pathGlob(pattern ?? "*");
        const entries = pattern === undefined ? entriesIn(directory.at, onLate) : filesBelow(files, directory, options);
        for (const entry of entries) {
          if (typeof entry !== "string" && !matches(entry.path)) continue;
          isCut = found.length === MOST;
          if (isCut) break;
          found.push(typeof entry === "string" ? entry : entry.path);
        }
      } finally {
        directory.close();
      }
      const notes = [...(isCut ? [`… (more than ${MOST}; use a narrower pattern)`] : []), ...(isLate ? ["… (the time was up)"] : [])];
      const none = pattern === undefined ? "(the directory is empty)" : "(nothing matches)";
      return {
        context: [...(found.length === 0 ? [none] : found), ...notes].join("\n"),
        result: { path: directory.path || ".", entries: found.length, truncated: isCut || isLate },
      };
    },
  });

/** The names in a directory; directories end in a slash. */
function* entriesIn(directory: string, onLate: () => void): Generator<string> {
  const budget = budgetOf({ milliseconds: PATIENCE_MS });
  let hidden: string | undefined; // a directory to skip
  for (const step of walk(directory, { ignore: UNLISTED, budget, mayBeLink: true })) {
    if (budget.expired()) return onLate();
    if (step.step === "leave" && step.path === hidden) hidden = undefined;
    if (hidden !== undefined || step.path === "") continue;
    if (step.step === "enter") {
      hidden = step.path;
      yield `${step.path}/`;
    } else if (step.step === "entry") yield step.path;
  }
}
