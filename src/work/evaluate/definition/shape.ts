import {
  described,
  either,
  flag,
  leaf,
  list,
  number,
  object,
  oneOf,
  optional,
  ordinal,
  parseDuration,
  type Shape,
  type Static,
  text,
  valuesOf,
} from "../../../pure/base/index.ts";

/** `10m`, or milliseconds. */
const time = leaf<string | number>(
  { type: ["string", "number"], description: "A time such as 90s, 10m or 1h30m, or milliseconds" },
  (value) => (typeof value === "number" && value > 0) || (typeof value === "string" && (parseDuration(value) ?? 0) > 0),
);
const texts = list(text);
const money = leaf<number>({ type: "number", exclusiveMinimum: 0 }, (value) => typeof value === "number" && value > 0);
const prompt = either(text, object({ file: text }));
const value = either(text, number) as Shape<string | number>;

const server = either(
  object({ command: text, args: optional(texts), env: optional(valuesOf(text)) }),
  object({ url: text, type: optional(oneOf("http", "sse")), headers: optional(valuesOf(text)) }),
);

const sideFields = {
  agent: optional(text, "The id of an agent, or the path of an agent file"),
  model: optional(text),
  effort: optional(text, "How hard the model should think, as the agent's CLI names it"),
  args: optional(list(value), "Arguments for the agent's CLI"),
  env: optional(
    valuesOf(
      either(
        value,
        leaf<null>({ type: "null" }, (it) => it === null),
      ),
    ),
    "Variables for the agent. Null passes on yours",
  ),
  permissions: optional(oneOf("full", "default", "read-only")),
  allow: optional(texts),
  deny: optional(texts),
  systemPrompt: optional(prompt, "Replaces the agent's system prompt: text, or {file: <path>}"),
  appendSystemPrompt: optional(prompt, "Is added to the agent's system prompt: text, or {file: <path>}"),
  mcp: optional(valuesOf(server), "MCP servers by name, as Claude Code and Cursor write them"),
  skills: optional(texts, "Directories with a SKILL.md, which the agent finds in its workspace"),
  files: optional(either(text, valuesOf(text)), "A directory laid over the workspace, or paths in the workspace with the files they get"),
  without: optional(texts, "What is left out: skill:<name> or file:<path>"),
  binary: optional(text),
  command: optional(text, "For generic and acp: the program and its arguments"),
  like: optional(text),
  secrets: optional(texts),
  isolation: optional(text, "none, process, files, sealed or container:<image>"),
  network: optional(text, "What a sealed agent can reach: model, allow:<hosts>, open or none"),
  modelUrl: optional(text),
};
const side = object({ name: optional(text, "Its name in the results. Default: the agent's id"), ...sideFields });
export type SideDefinition = Static<typeof side>;

const judge = either(object({ agent: text, model: optional(text) }), object({ url: text, model: text, keyVariable: optional(text) }));

/** The file of `harness evaluate`. */
export const evaluationFile = object({
  cases: described(text, "The data set: a file, relative to this one, or a directory of task folders"),
  only: optional(texts, "Only the cases with these ids"),
  where: optional(valuesOf(either(value, flag)), "Only cases with this metadata"),
  sample: optional(ordinal, "Only so many cases, chosen by the seed"),
  seed: optional(value, "The seed of the sample and of the bootstrap. Default: 1"),
  k: optional(ordinal, "Trials per case and side. Default: 1"),
  untilPrecise: optional(number, "Stop a case when its 95 % interval extends at most this far to either side"),
  maxK: optional(ordinal),
  concurrency: optional(either(ordinal, valuesOf(ordinal)), "Trials in parallel, of all sides or by side. Default: the number of cores"),
  workspace: optional(text, "The workspace of cases that name none: a directory, or a repository as url@ref or path@ref"),
  home: optional(oneOf("private", "inherit")),
  graders: optional(either(text, texts), "All must pass"),
  graderTimeout: optional(time),
  judge: optional(judge, "Who judges for llm:<rubric file>"),
  limits: optional(
    object({
      timeout: optional(time),
      idleTimeout: optional(time),
      turns: optional(ordinal),
      budget: optional(money, "US dollars per run"),
      cost: optional(money, "US dollars of the whole evaluation"),
      resources: optional(text, "memory=4g,processes=200,file=1g,workspace=10g,cpu=30m"),
    }),
  ),
  outOfTime: optional(oneOf("failed", "ignored")),
  retries: optional(ordinal, "How often to repeat a trial that the model's provider lost"),
  isolation: optional(text, "What every agent can reach: none, process, files, sealed or container:<image>"),
  requireIsolation: optional(text),
  output: optional(text, "The results. Default: the name of this file with .results.jsonl"),
  reports: optional(texts, "Reports to write at the end: .html, .md, .csv, .xml, .json or github"),
  gates: optional(
    texts,
    "Limits that sides must keep, such as `calls <= 10`, `skill:release-notes >= 90 %` or `careful: pass-rate >= 0.8`",
  ),
  baseline: optional(text, "The side that the others are compared with. Default: the first"),
  defaults: optional(object(sideFields), "Settings of every side that does not set its own"),
  sides: described(list(side), "What is compared"),
});
export type EvaluationDefinition = Static<typeof evaluationFile>;
