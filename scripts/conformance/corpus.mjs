// The corpus: the scenarios in scenarios/, read for the two keys that are the runner's own. The model reads the rest.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { root } from "../setup.mjs";
import { agents } from "./agents/index.mjs";

const FOLDER = join(root, "scenarios");
const ids = Object.keys(agents);

const runDefaults = {
  agents: ids,
  prompt: "Do what the script says.",
  files: {},
  permissions: "full",
  options: [],
  args: [],
  env: {},
  model: undefined,
  /** Kilo needs a minute and more to start on a busy machine. */
  timeout: "200s",
  record: true,
  /** Runs with --core too: what one must know at once. */
  core: false,
  /** The MCP server of the scenarios is there. */
  mcp: false,
  /** What the session is asked next: a second run, which resumes the first, and which alone is compared. */
  resume: undefined,
  /** { name: SIGINT, when: started.txt }: sent when that file is in the workspace. */
  signal: undefined,
};

const expectDefaults = {
  status: "completed",
  operations: [],
  calls: "any",
  messages: undefined,
  subagents: {},
  warnings: [],
  errors: [],
  unknown: 0,
  turns: undefined,
  usage: "ledger",
  files: {},
};

/** Every workspace begins with these, so that there is something to read and to find. */
const baseFiles = { "README.md": "# demo\n\nA needle in the readme.\n", "src/app.js": "// needle\nconsole.log(1);\n" };

export function corpus() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));
  return files.sort().map((name) => read(join(FOLDER, name)));
}

function read(file) {
  const name = basename(file, ".yaml");
  const { about = "", marker = name, turns = [], subagents = {}, watch = [], run = {}, expect = {} } = parse(readFileSync(file, "utf8"));
  checkKeys(`${file}: run`, run, [...Object.keys(runDefaults), ...ids]);
  checkKeys(`${file}: expect`, expect, [...Object.keys(expectDefaults), ...ids]);
  const options = (run.options ?? []).filter((word) => word.startsWith("--")).map((word) => word.slice(2));
  const asking = run.permissions === "default" ? ["permissions"] : [];
  const resuming = run.resume === undefined ? [] : ["resume"];
  const words = new Set([
    ...options,
    ...asking,
    ...resuming,
    ...wordsIn([...turns, ...Object.values(subagents).flatMap((script) => script.turns)]),
  ]);
  const wanted = ids.filter((id) => (run.agents ?? ids).includes(agents[id].agent ?? id) && canDo(agents[id], words, run));
  const scripts = [
    { marker, turns },
    ...Object.entries(subagents).map(([sub, script]) => ({ marker: `${marker}/${sub}`, turns: script.turns })),
  ];
  return {
    name,
    file,
    about,
    scripts,
    watch,
    core: run.core ?? false,
    agents: wanted,
    for: (id) => forAgent(file, { name, marker, turns, run, expect }, id),
  };
}

/** What the script wants of the agent: `read`, `agent`; also `background` for an agent in the background, `timeout` for a command that has one. */
function wordsIn(turns) {
  const calls = turns.flatMap(({ tools = [] }) => tools).filter((call) => !Array.isArray(call) && call.name === undefined);
  const more = ({ agent, run }) => [
    ...(agent?.background === true ? ["background"] : []),
    ...(run?.timeout === undefined ? [] : ["timeout"]),
  ];
  return calls.flatMap((call) => [...Object.keys(call), ...more(call)]);
}

/** A scenario is for every agent that has the tools and the options for it. */
function canDo(agent, words, run) {
  return !agent.lacks.some((word) => words.has(word)) && !(run.mcp === true && agent.mcp === undefined);
}

/** What one agent is asked and must do: what all share, with its own part on top. */
function forAgent(file, { name, marker, turns, run, expect }, id) {
  for (const [key, part, known] of [
    ["run", run, runDefaults],
    ["expect", expect, expectDefaults],
  ]) {
    checkKeys(`${file}: ${key}.${id}`, part[id] ?? {}, Object.keys(known));
  }
  const own = [agents[id].agent ?? id, id];
  const asked = Object.assign({ ...runDefaults, ...run }, run[agents[id].inside], agents[id].run?.[name], ...own.map((each) => run[each]));
  const expected = Object.assign(
    { ...expectDefaults, ...expect, signal: asked.signal?.name },
    expect[agents[id].inside], // what is true of the agent behind the protocol
    agents[id].expect?.all, // and what is otherwise on this side of it
    agents[id].expect?.[name],
    ...own.map((each) => expect[each]),
  );
  const marked = (prompt) => (prompt.includes("[[") ? prompt : `${prompt} [[${marker}]]`);
  return {
    ...asked,
    prompt: marked(textOf(asked.prompt)),
    ...(asked.resume === undefined ? {} : { resume: marked(asked.resume) }),
    files: { ...baseFiles, ...asked.files },
    expect: { ...expected, messages: messagesOf(expected.messages ?? turns.map(({ text }) => text).filter(Boolean)) },
  };
}

function messagesOf(messages) {
  return messages === "any" ? messages : messages.map(textOf);
}

/** Text, or { repeat, times }, as in the model's part. */
function textOf(text) {
  return typeof text === "string" ? text : text.repeat.repeat(text.times);
}

function checkKeys(place, object, known) {
  const wrong = Object.keys(object).find((key) => !known.includes(key));
  if (wrong !== undefined) throw new Error(`${place}.${wrong} is not known; there are ${known.join(", ")}.`);
}
