import { join } from "node:path";
import { regraded } from "../../eval/grade-results.ts";
import { readResults } from "../../eval/results/read-results.ts";
import { dataDirectory } from "../../store/data-directory.ts";
import { openObjects } from "../../workspace/objects.ts";
import type { GradeFlags } from "../commands/grade.ts";
import { type Write, withOutput } from "../with-output.ts";
import { neededGrader } from "./grader-of.ts";
import { withScratch } from "./with-scratch.ts";

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
