// Reads the runner's keys of every scenario. The model reads the rest.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { HarnessError, isObject } from "../../pure/base/index.ts";
import {
  type CorpusScenario,
  type CorpusScript,
  type ExpectPart,
  expectDefaults,
  type RunPart,
  runDefaults,
  type Text,
} from "./corpus-scenario.ts";
import type { Pin, Pins } from "./pin.ts";

/** A part of a scenario. Keys that name an agent override it for that agent. */
type WithOwn<Part> = Partial<Part> & Readonly<Record<string, unknown>>;

interface ModelTurn {
  readonly text?: Text;
  readonly tools?: readonly ToolCall[];
}

type ToolCall = readonly unknown[] | Readonly<Record<string, unknown>>;

interface ScenarioFile {
  readonly about?: string;
  readonly marker?: string;
  readonly turns?: readonly ModelTurn[];
  readonly subagents?: Readonly<Record<string, { readonly turns: readonly ModelTurn[] }>>;
  readonly watch?: readonly string[];
  /** By agent, or by a list of agents: `opencode, kilo`. */
  readonly why?: Readonly<Record<string, string>>;
  readonly run?: WithOwn<RunPart>;
  readonly expect?: WithOwn<ExpectPart>;
}

/** Every workspace starts with these files, so that there is text to read and to find. */
const baseFiles = { "README.md": "# demo\n\nA needle in the readme.\n", "src/app.js": "// needle\nconsole.log(1);\n" };

export function corpus(folder: string, pins: Pins): readonly CorpusScenario[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return files.sort().map((name) => readCorpusScenario(readFileSync(join(folder, name), "utf8"), join(folder, name), pins));
}

export function readCorpusScenario(text: string, file: string, pins: Pins): CorpusScenario {
  const name = basename(file, ".yaml");
  const {
    about = "",
    marker = name,
    turns = [],
    subagents = {},
    watch = [],
    why = {},
    run = {},
    expect = {},
  } = parse(text) as ScenarioFile;
  const ids = [...new Set([...pins].flatMap(([id, { agent = id }]) => [id, agent]))];
  checkKeys(`${file}: run`, run, [...Object.keys(runDefaults), ...ids]);
  checkKeys(`${file}: expect`, expect, [...Object.keys(expectDefaults), ...ids]);
  const reasons = new Map(Object.entries(why).flatMap(([names, reason]) => names.split(", ").map((id) => [id, reason])));
  checkKeys(`${file}: why`, Object.fromEntries(reasons), ids);
  for (const id of ids) {
    checkKeys(`${file}: run.${id}`, ownOf(run, id), Object.keys(runDefaults));
    checkKeys(`${file}: expect.${id}`, ownOf(expect, id), Object.keys(expectDefaults));
  }
  const scripts: readonly CorpusScript[] = [
    { marker, turns: turns.length },
    ...Object.entries(subagents).map(([sub, script]) => ({ marker: `${marker}/${sub}`, turns: script.turns.length })),
  ];
  const needs = needsOf(run, [...turns, ...Object.values(subagents).flatMap((script) => script.turns)]);
  return {
    name,
    file,
    about,
    scripts,
    watch,
    isCore: run.core ?? false,
    agents: [...pins].filter(([id, pin]) => isFor(run, id, pin) && canDo(pin, needs, run)).map(([id]) => id),
    for: (id) => partsFor(layersOf(id, pins.get(id), name, run, expect), marker, turns, run, expect),
    shared: expect,
    own: new Map(ids.filter((id) => Object.hasOwn(expect, id)).map((id) => [id, ownOf(expect, id)])),
    why: reasons,
  };
}

/** The tools and options that the agent needs: `read`, `agent`, `max-turns`; also `background`, `timeout`, `permissions`, `resume`. */
function needsOf(run: Partial<RunPart>, turns: readonly ModelTurn[]): ReadonlySet<string> {
  const options = (run.options ?? []).filter((option) => option.startsWith("--")).map((option) => option.slice(2));
  const calls = turns.flatMap(({ tools = [] }) => tools).filter(isShorthand);
  const more = calls.flatMap(({ agent, run: command }) => [
    ...(isObject(agent) && agent["background"] === true ? ["background"] : []),
    ...(isObject(command) && "timeout" in command ? ["timeout"] : []),
  ]);
  const asking = run.permissions === "default" ? ["permissions"] : [];
  const resuming = run.resume === undefined ? [] : ["resume"];
  return new Set([...options, ...asking, ...resuming, ...calls.flatMap(Object.keys), ...more]);
}

/** Whether the call uses one of the model's shorthands instead of a tool name. */
function isShorthand(call: ToolCall): call is Readonly<Record<string, unknown>> {
  return !Array.isArray(call) && !("name" in call);
}

function isFor({ agents }: Partial<RunPart>, id: string, { agent = id, isNamed = false }: Pin): boolean {
  return agents === undefined ? !isNamed : agents.includes(agent);
}

/** A scenario applies to every agent that has the tools and the options it needs. */
function canDo(pin: Pin, needs: ReadonlySet<string>, run: Partial<RunPart>): boolean {
  return !pin.lacks.some((name) => needs.has(name)) && !(run.mcp === true && pin.mcp === undefined);
}

/** The overrides for a pin, the most specific last: the agent behind the protocol, this side of it, our agent, the pin itself. */
function layersOf(
  id: string,
  pin: Pin | undefined,
  scenario: string,
  run: WithOwn<RunPart>,
  expect: WithOwn<ExpectPart>,
): { readonly run: readonly Partial<RunPart>[]; readonly expect: readonly Partial<ExpectPart>[] } {
  const { inside = id, agent = id, expect: own = {} } = pin ?? {};
  return {
    run: [inside, agent, id].map((name) => ownOf(run, name)),
    expect: [
      inside === id ? {} : withoutExit(ownOf(expect, inside)),
      own["all"] ?? {},
      own[scenario] ?? {},
      ownOf(expect, agent),
      ownOf(expect, id),
    ],
  };
}

/** An agent behind the protocol does not exit with an error: it waits for the next request. */
function withoutExit(part: Partial<ExpectPart>): Partial<ExpectPart> {
  const { errors } = part;
  return Array.isArray(errors) ? { ...part, errors: errors.filter((code) => code !== "process_error") } : part;
}

function partsFor(
  layers: ReturnType<typeof layersOf>,
  marker: string,
  turns: readonly ModelTurn[],
  run: WithOwn<RunPart>,
  expect: WithOwn<ExpectPart>,
): ReturnType<CorpusScenario["for"]> {
  const asked: RunPart = Object.assign({ ...runDefaults, ...run }, ...layers.run);
  const expected: ExpectPart = Object.assign({ ...expectDefaults, ...expect }, ...layers.expect);
  const marked = (prompt: string) => (prompt.includes("[[") ? prompt : `${prompt} [[${marker}]]`);
  const messages = expected.messages ?? turns.flatMap(({ text }) => (text === undefined || text === "" ? [] : [text]));
  return {
    asked: {
      ...asked,
      prompt: marked(textOf(asked.prompt)),
      resume: asked.resume === undefined ? undefined : marked(asked.resume),
      files: { ...baseFiles, ...asked.files },
    },
    expected: { ...expected, signal: asked.signal?.name, messages: messages === "any" ? messages : messages.map(textOf) },
  };
}

function ownOf<Part>(part: WithOwn<Part>, id: string): Partial<Part> {
  return (part[id] ?? {}) as Partial<Part>;
}

function textOf(text: Text): string {
  return typeof text === "string" ? text : text.repeat.repeat(text.times);
}

function checkKeys(place: string, object: object, known: readonly string[]): void {
  const wrong = Object.keys(object).find((key) => !known.includes(key));
  if (wrong !== undefined) throw new HarnessError("input", `${place}.${wrong} is not a known key. Known keys: ${known.join(", ")}.`);
}
