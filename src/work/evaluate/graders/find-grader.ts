import { accessSync, constants, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Grader, PreparedGrader } from "../trial/index.ts";
import { checksGrader } from "./checks-grader.ts";
import { combined, type Part } from "./combined-grader.ts";
import { commandGrader } from "./command-grader.ts";
import { filesGrader } from "./files-grader.ts";
import { functionGrader } from "./function-grader.ts";
import { jsonSchemaGrader } from "./json-schema-grader.ts";
import type { Judge } from "./judge.ts";
import { llmGrader } from "./llm-grader.ts";
import { moduleGrader } from "./module-grader.ts";
import { programGrader } from "./program-grader.ts";
import { contains, exact, regex } from "./text-graders.ts";

export interface FindGraderOptions {
  /** How long one grade may take. Default: five minutes. */
  readonly timeoutMs?: number | undefined;
  /** The judge for `llm:`. */
  readonly judge?: Judge | undefined;
  /** The base of relative paths. Default: the current directory. */
  readonly directory?: string;
  /** The functions behind `function:<name>`. */
  readonly functions?: ReadonlyMap<string, Grader>;
}

const TIMEOUT_MS = 5 * 60_000;
const MODULES = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"]);
const BUILT_IN =
  "exact, contains, regex, json-schema:<file>, command:<shell command>, files:<directory>, checks:<directory>, llm:<rubric file>";

/**
 * The grader for one text: a built-in one by name, `all(…)`, `any(…)` or `weighted(…)` of several, a module, or an executable. Throws
 * if it cannot be used, before anything runs.
 */
export function findGrader(text: string, options: FindGraderOptions = {}): PreparedGrader {
  const { timeoutMs = TIMEOUT_MS, directory = "." } = options;
  const group = /^(all|any|weighted)\((.*)\)$/s.exec(text.trim());
  if (group !== null) return combined(group[1] as "all", partsOf(group[2] ?? "", group[1] ?? "", options));
  const colon = text.indexOf(":");
  const name = colon === -1 ? text : text.slice(0, colon);
  const argument = colon === -1 ? undefined : text.slice(colon + 1);
  switch (name) {
    case "exact":
      return exact(argument);
    case "contains":
      return contains(argument);
    case "regex":
      return regex(argument);
    case "command":
      return commandGrader(needed(argument, "command:npm test"), timeoutMs);
    case "json-schema":
      return jsonSchemaGrader(needed(argument, "json-schema:answer.schema.json"), directory);
    case "files":
      return filesGrader(needed(argument, "files:expected/"), directory);
    case "checks":
      return checksGrader(needed(argument, "checks:tasks/"), directory, timeoutMs);
    case "llm":
      if (options.judge === undefined) throw new HarnessError("usage", "A grader that asks a model needs a judge.", { option: "judge" });
      return llmGrader(needed(argument, "llm:rubric.md"), directory, options.judge, timeoutMs);
    case "function":
      return functionGrader(text, knownFunction(text, options), timeoutMs);
    default:
      return fileGrader(text, resolve(directory, text), timeoutMs);
  }
}

/** Several graders together: all must pass. */
export function findGraders(texts: readonly string[], options: FindGraderOptions = {}): PreparedGrader | undefined {
  const graders = texts.map((text) => findGrader(text, options));
  return graders.length > 1
    ? combined(
        "all",
        graders.map((grader) => ({ grader, weight: 1 })),
      )
    : graders[0];
}

function needed(argument: string | undefined, example: string): string {
  if (argument === undefined || argument.trim() === "")
    throw new HarnessError("usage", `The grader needs a value after the colon, as in ${example}.`);
  return argument;
}

function knownFunction(text: string, { functions }: FindGraderOptions): Grader {
  const found = functions?.get(text);
  if (found !== undefined) return found;
  throw new HarnessError("usage", `${text} exists only in a different process. Pass the grader as a module, which every process can load.`);
}

function fileGrader(text: string, path: string, timeoutMs: number): PreparedGrader {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined && (text.includes("/") || MODULES.has(extname(path))))
    throw new HarnessError("usage", `Grader not found: ${path}. Pass the path of a module or a program, or one of ${BUILT_IN}.`);
  if (stats === undefined || !stats.isFile())
    throw new HarnessError("usage", `Unknown grader ${JSON.stringify(text)}. Use a file or one of ${BUILT_IN}.`);
  if (MODULES.has(extname(path))) return moduleGrader(text, path, timeoutMs);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new HarnessError("usage", `The grader ${text} is neither a module (.ts, .mts, .js, .mjs) nor executable. Run chmod +x on it.`);
  }
  return programGrader({ name: text, binary: path, args: [], timeoutMs });
}

/** `a, 2*b`: splits at commas outside parentheses. */
function partsOf(text: string, kind: string, options: FindGraderOptions): Part[] {
  const pieces: string[] = [];
  let depth = 0;
  let piece = "";
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "," && depth === 0) {
      pieces.push(piece);
      piece = "";
    } else piece += character;
  }
  pieces.push(piece);
  return pieces.map((each) => {
    const weighted = kind === "weighted" ? /^\s*(\d+(?:\.\d+)?)\*(.*)$/s.exec(each) : null;
    const [weight, inner] = weighted === null ? [1, each.trim()] : [Number(weighted[1]), (weighted[2] ?? "").trim()];
    if (inner === "")
      throw new HarnessError("usage", `${kind}(…) takes graders separated by commas, such as ${kind}(contains, command:npm test).`);
    return { grader: findGrader(inner, options), weight };
  });
}
