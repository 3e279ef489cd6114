import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { codeOf, HarnessError } from "../../pure/base/index.ts";
import type { ModelScenario } from "./model-scenario.ts";
import { readModelScenario } from "./read-model-scenario.ts";

const ENDING = /\.(?:ya?ml|json)$/i;

/** The scenarios of these files, and of the .yaml, .yml and .json files in these directories. */
export function loadScenarios(paths: readonly string[]): readonly ModelScenario[] {
  const files = paths.flatMap(filesAt);
  const loaded = new Map<string, { file: string; scenario: ModelScenario }>();
  for (const file of files) {
    const scenario = readModelScenario(read(file), file);
    const other = loaded.get(scenario.marker);
    if (other !== undefined) {
      throw new HarnessError(
        "input",
        `${file}:1: ${other.file} already has the marker ${scenario.marker}. Give one of the two a different "marker".`,
      );
    }
    loaded.set(scenario.marker, { file, scenario });
  }
  return [...loaded.values()].map(({ scenario }) => scenario);
}

function filesAt(path: string): readonly string[] {
  const files = attempt(path, () =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .sort()
          .map((name) => join(path, name))
      : undefined,
  );
  if (files === undefined) return [path];
  const scenarios = files.filter((file) => ENDING.test(basename(file)));
  if (scenarios.length === 0) throw new HarnessError("input", `${path} contains no scenario: no file ends in .yaml, .yml or .json.`);
  return scenarios;
}

function read(file: string): string {
  const text = attempt(file, () => readFileSync(file, "utf8"));
  if (text.length <= LARGEST) return text;
  throw new HarnessError(
    "input",
    `${file}:1: the scenario is larger than ${LARGEST / 2 ** 20} MiB. Use { repeat: …, times: … } for long texts.`,
  );
}

const LARGEST = 4 * 2 ** 20;

function attempt<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    const reason = codeOf(error) === "ENOENT" ? "there is no such file" : String(error);
    throw new HarnessError("input", `Cannot read the scenario ${path}: ${reason}.`, { cause: error });
  }
}
