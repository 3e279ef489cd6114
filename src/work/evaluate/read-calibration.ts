import { readFileSync } from "node:fs";
import { errorWords, HarnessError } from "../../pure/base/index.ts";
import { type Interval, wilson } from "../../pure/statistics/index.ts";
import { gradedTrials } from "./calibrate.ts";

/** What a person ticked for one trial; `both` boxes contradict each other. */
export interface Review {
  readonly id: string;
  readonly trialNum: number;
  readonly pass: boolean;
  readonly review: "right" | "wrong" | "both" | "none";
}

/** What the boxes on a page of `calibrate` say about the grader. */
export interface Calibration {
  readonly reviews: readonly Review[];
  readonly right: number;
  readonly wrong: number;
  /** Wrong verdicts on trials that failed, and on trials that passed. */
  readonly tooStrict: number;
  readonly tooLenient: number;
  /** Trials with no box ticked, or with both. */
  readonly undecided: number;
  /** The share of right verdicts among those with one box ticked; null if there is none. */
  readonly agreement: number | null;
  /** 95 %, by Wilson. */
  readonly interval: Interval | null;
  /** Boxes of trials or verdicts that the results do not have. */
  readonly unknown: number;
}

const BOX = /^\s*[-*+] \[([ xX])\] .*<!-- (right|wrong) ([0-9a-f]{16}) -->\s*$/gm;

/** Reads a page back. Only boxes with the mark of a verdict in the results count: the agents' texts on the page may contain boxes too. */
export function readCalibration(results: string, page: string): Calibration {
  const ticked = new Map<string, Set<string>>();
  for (const [, tick, box = "", mark = ""] of textOf(page).matchAll(BOX)) {
    const boxes = ticked.get(mark) ?? new Set();
    ticked.set(mark, boxes);
    if (tick !== " ") boxes.add(box);
  }
  const reviews: Review[] = [];
  for (const { id, trialNum, pass, mark } of gradedTrials(results)) {
    const boxes = ticked.get(mark);
    if (boxes === undefined) continue;
    ticked.delete(mark);
    const review = boxes.size === 2 ? "both" : boxes.has("right") ? "right" : boxes.has("wrong") ? "wrong" : "none";
    reviews.push({ id, trialNum, pass, review });
  }
  if (reviews.length === 0)
    throw new HarnessError("input", `${page} has no boxes for the verdicts in ${results}. Pass the results that the page was made from.`);
  const count = (isWanted: (review: Review) => boolean) => reviews.filter(isWanted).length;
  const [right, wrong] = [count(({ review }) => review === "right"), count(({ review }) => review === "wrong")];
  return {
    reviews,
    right,
    wrong,
    tooStrict: count(({ review, pass }) => review === "wrong" && !pass),
    tooLenient: count(({ review, pass }) => review === "wrong" && pass),
    undecided: reviews.length - right - wrong,
    agreement: right + wrong === 0 ? null : right / (right + wrong),
    interval: wilson(right, right + wrong),
    unknown: ticked.size,
  };
}

function textOf(page: string): string {
  try {
    return readFileSync(page, "utf8");
  } catch (error) {
    throw new HarnessError("input", `Cannot read ${page}: ${errorWords(error)}.`);
  }
}
