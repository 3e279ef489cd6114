import { join } from "node:path";
import { dataDirectory } from "../../../host/recording/format/data-directory.ts";
import { openObjects } from "../../../host/workspace/objects.ts";
import { regraded } from "../../../work/evaluate/grade-results.ts";
import { readResults } from "../../../work/evaluate/results/read-results.ts";
import { type Write, withOutput } from "../../terminal/with-output.ts";
import { neededGrader } from "../evaluation/grader-of.ts";
import { withScratch } from "../evaluation/with-scratch.ts";
import type { GradeFlags } from "./index.ts";

/** `harness grade` */
export async function gradeResults(path: string, flags: GradeFlags): Promise<void> {
  const grader = await neededGrader(flags);
  const data = dataDirectory(process.env);
  const gradeAll = (write: Write) =>
    withScratch("grade", async (scratch, { signal }) => {
      const objects = grader.needsWorkspace ? openObjects(join(data.root, "evaluations", "objects")) : undefined;
      try {
        for (const { line } of readResults(path)) {
          if (signal.aborted) break;
          await write(`${JSON.stringify(await regraded(line, grader, { data, objects, scratch, signal }))}\n`);
        }
      } finally {
        objects?.close();
      }
    });
  await withOutput(flags.output, flags.force === true, gradeAll);
}
