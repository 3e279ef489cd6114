import { HarnessError, type JsonObject, parseObject, spelled, stringOf } from "../../../pure/base/index.ts";
import { readStretch } from "../cases/index.ts";
import { labelOf, toldApart } from "../compare/index.ts";
import { readResults, trialsIn } from "../results/index.ts";

/** The position of an answer. Results files may not fit in memory, so only positions are kept. */
export interface AnswerPlace {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  /** The trial's index in the line. */
  readonly index: number;
}

/** One side's answers, by case and trial. */
export interface AnswerSide {
  readonly label: string;
  readonly cases: ReadonlyMap<string, readonly AnswerPlace[]>;
}

/** A task, and one side's answer. */
export interface Answer {
  readonly input: string;
  readonly output: string;
  /** The recorded run of the answer, if the line names it. */
  readonly run: string | undefined;
}

/** The same sides as `readSides`, with the positions of their answers instead of scores. */
export function readAnswers(paths: readonly string[]): AnswerSide[] {
  return toldApart(paths.map((path) => ({ path, sides: sidesOf(path) })));
}

function sidesOf(path: string): AnswerSide[] {
  const sides = new Map<string, { label: string; cases: Map<string, AnswerPlace[]> }>();
  for (const { line, offset, length } of readResults(path)) {
    const label = labelOf(line, path);
    const side = sides.get(label) ?? { label, cases: new Map<string, AnswerPlace[]>() };
    sides.set(label, side);
    const places = side.cases.get(line.id) ?? [];
    side.cases.set(line.id, places);
    for (const index of trialsIn(line).keys()) places.push({ path, offset, length, index });
  }
  if (sides.size === 0) throw new HarnessError("input", `${path} contains no results.`);
  return [...sides.values()];
}

/** Undefined if the file has changed since. */
export function answerAt({ path, offset, length, index }: AnswerPlace): Answer | undefined {
  const line = parseObject(readStretch(path, offset, length));
  const trial = line && trialsIn(line)[index];
  if (line === undefined || trial === undefined) return undefined;
  const runs = trial["runs"];
  return {
    input: inputOf(line["input"]),
    output: stringOf(trial["output"]) ?? "",
    run: Array.isArray(runs) ? stringOf(runs.at(-1)) : undefined,
  };
}

function inputOf(input: JsonObject[string]): string {
  return Array.isArray(input) ? input.map(spelled).join("\n\n") : (stringOf(input) ?? "");
}
