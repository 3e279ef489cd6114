import { join } from "node:path";
import { dataDirectory } from "../../../host/recording/format/data-directory.ts";
import { openObjects } from "../../../host/workspace/objects.ts";
import { openCaseFile } from "../../../work/evaluate/cases/case-file.ts";
import { openTemplates } from "../../../work/evaluate/running/templates.ts";
import { checkReference } from "../../../work/evaluate/validate-references.ts";
import { setExitCode } from "../../terminal/exit-code.ts";
import { say } from "../../terminal/report.ts";
import { type Write, withOutput } from "../../terminal/with-output.ts";
import { neededGrader } from "../evaluation/grader-of.ts";
import { withScratch } from "../evaluation/with-scratch.ts";
import type { ValidateRefsFlags } from "./index.ts";

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
