import { join } from "node:path";
import { dataDirectory } from "../../../host/recording/index.ts";
import { openObjects } from "../../../host/workspace/index.ts";
import { checkReference, openCaseFile, openTemplates } from "../../../work/evaluate/index.ts";
import { say, setExitCode, type Write, withOutput } from "../../terminal/index.ts";
import { neededGrader, withScratch } from "../evaluation/index.ts";
import type { GraderFlags } from "../options/index.ts";

export interface ValidateRefsFlags extends GraderFlags {
  readonly output?: string;
  readonly workspace?: string;
  readonly force?: true;
}

/** `harness validate-refs` */
export async function validateRefs(path: string, flags: ValidateRefsFlags): Promise<void> {
  const grader = await neededGrader(flags);
  const file = openCaseFile(path);
  const data = dataDirectory(process.env);
  let [checked, wrong] = [0, 0];
  const checkAll = (write: Write) =>
    withScratch("refs", async (scratch, { signal }) => {
      const objects = openObjects(join(scratch, "objects"));
      const templates = openTemplates(data, scratch, objects, path);
      try {
        for (const place of file.places) {
          if (signal.aborted) break;
          const check = await checkReference(file.read(place), { grader, templates, data, file, workspace: flags.workspace, signal });
          if (check === undefined) continue;
          checked++;
          if (!check.pass) wrong++;
          await write(`${JSON.stringify(check)}\n`);
        }
      } finally {
        objects.close();
      }
    });
  await withOutput(flags.output, flags.force === true, checkAll);
  say(`${checked} references: ${checked - wrong} pass, ${wrong} do not; ${file.places.length - checked} cases have none`);
  if (wrong > 0 || checked === 0) setExitCode(1);
}
