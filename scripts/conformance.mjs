// `npm run conformance -- claude codex`: the scenario corpus against the real CLIs, offline but for their first download.
import { parseArgs } from "node:util";
import { agents } from "./conformance/agents/index.mjs";
import { differences } from "./conformance/compare.mjs";
import { consumers } from "./conformance/consumers.mjs";
import { corpus } from "./conformance/corpus.mjs";
import { installed, runsHere } from "./conformance/install.mjs";
import { leftovers } from "./conformance/leftovers.mjs";
import { record } from "./conformance/record.mjs";
import { asData, report, reportConsumers } from "./conformance/report.mjs";
import { writeReport } from "./conformance/report-page.mjs";
import { beginSession, runAgent } from "./conformance/run-agent.mjs";
import { furnish, sandbox } from "./conformance/sandbox.mjs";
import { scriptedModel } from "./conformance/scripted-model.mjs";
import { settled } from "./conformance/settled.mjs";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";

const { ids, only, jobs, page, isCore, isJson, isKept, isRecorded } = readArguments();
ensureInstalled();
ensureBuilt();
const installations = new Map(ids.map((id) => [id, orQuit(() => installed(id, agents[id]))]));
const all = orQuit(corpus);
const missing = only.find((name) => !all.some((scenario) => scenario.name === name));
if (missing !== undefined) quit(`There is no scenario ${missing}; the names are those of the files in scenarios/.`);
const scenarios = all.filter(({ name, core }) => (only.length === 0 || only.includes(name)) && (core || !isCore));
const runs = scenarios.flatMap((scenario) => ids.filter((id) => scenario.agents.includes(id)).map((id) => ({ scenario, id })));
if (runs.length === 0) quit("None of these scenarios is for these agents.");

/** Ends what is running, and nothing more is begun. */
const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => interruption.abort(name));

const outcomes = [];
const queue = [...runs];
await Promise.all(Array.from({ length: jobs }, work));
progress("");
if (interruption.signal.aborted) process.exit(interruption.signal.reason === "SIGINT" ? 130 : 143);
const results = ids.map((id) => ({ id, agent: agents[id], outcomes: outcomes.filter((outcome) => outcome.id === id) }));
const tried = results.filter((result) => result.outcomes.length > 0);
for (const result of tried) console.log(isJson ? JSON.stringify(asData(result)) : report(result.id, result.agent, result.outcomes));
if (page !== undefined) orQuit(() => writeReport(page, tried));
const consumed = [];
for (const id of only.length > 0 || isCore || isJson ? [] : ids) consumed.push(...(await consumers(id, agents[id], installations.get(id))));
if (consumed.length > 0) console.log(reportConsumers(consumed));
const isGood = outcomes.every(({ problems }) => problems.length === 0) && consumed.every(({ problem }) => problem === undefined);
process.exitCode = isGood ? 0 : 1;
// Goldens are made of fixtures by vitest, in a process of its own that ends this one if it fails.
if (isRecorded) await import("./goldens.mjs");

async function work() {
  for (let run = queue.shift(); run !== undefined && !interruption.signal.aborted; run = queue.shift()) {
    outcomes.push(await conform(run));
    progress(`${outcomes.length} of ${runs.length} runs`);
  }
}

async function conform({ scenario, id }) {
  const asked = scenario.for(id);
  const { binary, folder: installation, path } = installations.get(id);
  const place = sandbox(asked.files, path);
  const model = await scriptedModel(scenario.file);
  const outcome = {
    scenario,
    id,
    problems: [],
    milliseconds: 0,
    lines: 0,
    unread: [],
    ledger: [],
    ...(isKept ? { folder: place.folder } : {}),
  };
  try {
    const agent = settled(agents[id], model.url, asked.mcp);
    furnish(place.home, agent.files);
    const settings = { id: agent.agent ?? id, agent, binary, asked, place, signal: interruption.signal };
    if (asked.resume !== undefined) await beginSession(settings);
    const earlier = asked.resume === undefined ? 0 : await model.served();
    const run = await runAgent(settings);
    Object.assign(outcome, { milliseconds: run.milliseconds, lines: run.lines, unread: run.unread });
    outcome.ledger = (await model.close()).slice(earlier);
    outcome.problems = differences(scenario, agents[id], asked.expect, { ...run, ledger: outcome.ledger, workspace: place.workspace });
    outcome.problems.push(...leftovers(place.workspace));
    const isFixture = isRecorded && asked.record && outcome.problems.length === 0;
    if (isFixture) record({ scenario, id, agent, directory: run.directory, place, installation });
  } catch (error) {
    outcome.problems.push(error.message);
  } finally {
    await model.close().catch(() => {});
    leftovers(place.folder);
    if (!isKept) place.remove();
  }
  return outcome;
}

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

function readArguments() {
  const options = {
    record: { type: "boolean" },
    only: { type: "string", multiple: true },
    keep: { type: "boolean" },
    core: { type: "boolean" },
    json: { type: "boolean" },
    report: { type: "string" },
    jobs: { type: "string", default: "2" }, // each is mostly a CLI that starts up
  };
  const { values, positionals } = orQuit(() => parseArgs({ options, allowPositionals: true }));
  const all = Object.keys(agents).filter((id) => runsHere(agents[id]));
  const ids = positionals.length === 0 ? all : [...new Set(positionals)];
  const unknown = ids.find((id) => !Object.hasOwn(agents, id));
  if (unknown !== undefined) quit(`There is no pinned agent ${unknown}; there are ${Object.keys(agents).join(", ")}.`);
  const { only = [], core: isCore = false, json: isJson = false, keep: isKept = false, record: isRecorded = false, report: page } = values;
  return { ids, only, jobs: Number(values.jobs) || 1, page, isCore, isJson, isKept, isRecorded };
}

function orQuit(action) {
  try {
    return action();
  } catch (error) {
    return quit(error.message);
  }
}

function quit(message) {
  console.error(`conformance: ${message}`);
  process.exit(2);
}
