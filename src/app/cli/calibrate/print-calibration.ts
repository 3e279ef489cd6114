import { counted, HarnessError, percent, percentRange, printable, textTable, whole } from "../../../pure/base/index.ts";
import { type Calibration, calibrate, calibrationPage, readCalibration } from "../../../work/evaluate/index.ts";
import { say, withOutput } from "../../terminal/index.ts";

export interface CalibrateFlags {
  readonly output?: string;
  readonly sample: number;
  readonly seed: string;
  readonly all?: true;
  readonly read?: string;
  readonly json?: true;
  readonly force?: true;
}

export async function printCalibration(path: string, { sample, seed, all, read, output, json, force }: CalibrateFlags): Promise<void> {
  if (read !== undefined && read === output)
    throw new HarnessError("usage", `--read ${read} and -o name the same page. Write the result to a different file.`);
  await withOutput(output, force === true, async (write) => {
    if (read !== undefined) return write(reviewText(readCalibration(path, read), json === true));
    const chosen = calibrate(path, { sample, seed, all });
    if (chosen.length === 0) say(`${path} has no graded ${all ? "trial" : "failure"} to review`);
    if (json) for (const doubtful of chosen) await write(`${JSON.stringify(doubtful)}\n`);
    else await write(calibrationPage(chosen));
  });
}

function reviewText(calibration: Calibration, isJson: boolean): string {
  const { reviews, right, tooStrict, tooLenient, undecided, agreement, interval, unknown } = calibration;
  if (unknown > 0) say(`the page has boxes for ${counted(unknown, "verdict")} that the results do not have; they are not counted`);
  if (isJson) return `${JSON.stringify(calibration)}\n`;
  const sums = textTable({
    title: "Review of the grader",
    head: ["trials", "right", "too strict", "too lenient", "undecided", "agreement", "95 % interval"],
    rows: [
      [
        whole(reviews.length),
        whole(right),
        whole(tooStrict),
        whole(tooLenient),
        whole(undecided),
        percent(agreement),
        percentRange(interval),
      ],
    ],
  });
  const wrong = reviews.filter(({ review }) => review === "wrong");
  if (wrong.length === 0) return printable(sums);
  const rows = wrong.map(({ id, trialNum, pass }) => [id, whole(trialNum), pass ? "pass" : "fail"]);
  return printable(`${sums}\n${textTable({ title: "Wrong verdicts", head: ["case", "trial", "verdict"], rows })}`);
}
