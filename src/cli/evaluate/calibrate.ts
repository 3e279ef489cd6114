import { calibrationPage, sampleDoubtful } from "../../eval/calibration.ts";
import { readResults } from "../../eval/results/read-results.ts";
import type { CalibrateFlags } from "../commands/calibrate.ts";
import { say } from "../report.ts";
import { outputFile } from "./output-file.ts";

/** `harness calibrate` */
export async function calibrate(path: string, { sample, seed, all, output, json, force }: CalibrateFlags): Promise<void> {
  const out = outputFile(output, force === true);
  const chosen = sampleDoubtful(linesOf(path), { sample, seed, ...(all && { all }) });
  if (chosen.length === 0) say(`${path} has no graded ${all ? "trial" : "failure"} to look at`);
  if (json) for (const doubtful of chosen) await out.write(`${JSON.stringify(doubtful)}\n`);
  else await out.write(calibrationPage(chosen));
  await out.close();
}

function* linesOf(path: string) {
  for (const { line } of readResults(path)) yield line;
}
