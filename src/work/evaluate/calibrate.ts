import { stringOf } from "../../pure/base/index.ts";
import { seededRandom } from "../../pure/statistics/index.ts";
import { isCounted } from "../../pure/verdicts/index.ts";
import { markdownOf } from "../../pure/views/index.ts";
import { capturesOf, readResults, trialsIn } from "./results/index.ts";
import { classOf, gradeIn, hashOf } from "./trial/index.ts";

/** A trial to review: either the agent or the grader may be wrong. */
export interface Doubtful {
  readonly id: string;
  readonly trialNum: number;
  readonly pass: boolean;
  readonly reasoning: string | undefined;
  readonly page: string;
  /** Identifies the trial and its verdict on the page. It is a hash of the page itself, so no text on the page can forge it. */
  readonly mark: string;
}

export interface CalibrateOptions {
  /** The number of trials. Default: 10. */
  readonly sample?: number;
  /** The seed of the sample. Default: "1". */
  readonly seed?: number | string;
  /** Include passed trials: a grader can also be too lenient. */
  readonly all?: boolean;
}

/** Draws a seeded sample of failures in one pass over a file of any size (Vitter's algorithm R), in file order. */
export function calibrate(results: string, { sample = 10, seed = "1", all = false }: CalibrateOptions = {}): readonly Doubtful[] {
  const random = seededRandom(seed);
  const chosen: { place: number; doubtful: Doubtful }[] = [];
  let seen = 0;
  for (const doubtful of gradedTrials(results)) {
    if (doubtful.pass && !all) continue;
    const place = seen++;
    const slot = place < sample ? place : random.below(place + 1);
    if (slot < sample) chosen[slot] = { place, doubtful };
  }
  return chosen.sort((a, b) => a.place - b.place).map(({ doubtful }) => doubtful);
}

/** Every trial with a verdict that counts, in file order. */
export function* gradedTrials(results: string): Generator<Doubtful> {
  for (const { line } of readResults(results)) {
    const captures = capturesOf(line);
    for (const [index, trial] of trialsIn(line).entries()) {
      const grade = gradeIn(trial);
      const { class: kind } = classOf(trial);
      const record = captures[index];
      if (typeof grade["pass"] !== "boolean" || !isCounted(kind) || record === undefined) continue;
      const verdict = { id: line.id, trialNum: index + 1, pass: kind === "passed", reasoning: stringOf(grade["reasoning"]) };
      const page = markdownOf(record);
      const { agent, model, configuration } = line;
      yield { ...verdict, page, mark: hashOf([verdict, page, agent, model, configuration, trial["runs"]]).slice(0, 16) };
    }
  }
}

/** A Markdown page on which a reviewer marks who was right. */
export function calibrationPage(doubtful: readonly Doubtful[]): string {
  const head = [
    "# Calibration",
    "",
    `${doubtful.length} graded trials to review. Either the agent failed, or the grader is wrong: too strict, too lenient or broken.`,
    "",
  ];
  const pages = doubtful.map(({ trialNum, pass, reasoning, page, mark }) =>
    [
      page.trimEnd().replace(/\n---$/, ""),
      `**Trial:** ${trialNum}`,
      `**Verdict:** ${pass ? "pass" : "fail"}${reasoning === undefined ? "" : `: ${reasoning.replace(/\s*\n\s*/g, " / ")}`}`,
      "",
      `- [ ] the verdict is right <!-- right ${mark} -->`,
      `- [ ] the grader is wrong <!-- wrong ${mark} -->`,
      "",
      "---",
      "",
    ].join("\n"),
  );
  return [...head, ...pages].join("\n");
}
