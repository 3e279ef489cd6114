import { calibrate, calibrationPage } from "../../../work/evaluate/index.ts";
import { say, withOutput } from "../../terminal/index.ts";

export interface CalibrateFlags {
  readonly output?: string;
  readonly sample: number;
  readonly seed: string;
  readonly all?: true;
  readonly json?: true;
  readonly force?: true;
}

export async function printCalibration(path: string, { sample, seed, all, output, json, force }: CalibrateFlags): Promise<void> {
  await withOutput(output, force === true, async (write) => {
    const chosen = calibrate(path, { sample, seed, all });
    if (chosen.length === 0) say(`${path} has no graded ${all ? "trial" : "failure"} to review`);
    if (json) for (const doubtful of chosen) await write(`${JSON.stringify(doubtful)}\n`);
    else await write(calibrationPage(chosen));
  });
}
