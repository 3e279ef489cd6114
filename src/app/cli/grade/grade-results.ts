import { join } from "node:path";
import { dataDirectory } from "../../../host/recording/index.ts";
import { openObjects } from "../../../host/workspace/index.ts";
import { readResults, regraded } from "../../../work/evaluate/index.ts";
import { type Write, withOutput } from "../../terminal/index.ts";
import { neededGrader, withScratch } from "../evaluation/index.ts";
import type { GraderFlags } from "../options/index.ts";

export interface GradeFlags extends GraderFlags {
  readonly output?: string;
  readonly force?: true;
}

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
