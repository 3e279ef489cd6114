// `npm run conformance -- claude codex`: the scenario corpus against the real CLIs, offline but for their first download.
import { parseArgs } from "node:util";
import { agents } from "./conformance/agents.mjs";
import { differences } from "./conformance/compare.mjs";
import { consumers } from "./conformance/consumers.mjs";
import { corpus } from "./conformance/corpus.mjs";
import { installed } from "./conformance/install.mjs";
import { record } from "./conformance/record.mjs";
import { report, reportConsumers } from "./conformance/report.mjs";
import { runAgent } from "./conformance/run-agent.mjs";
import { sandbox } from "./conformance/sandbox.mjs";
import { scriptedModel } from "./conformance/scripted-model.mjs";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";

/** Runs at once: each is mostly a CLI that starts up. */
const WORKERS = 2;

const { ids, only, isKept, isRecorded } = readArguments();
ensureInstalled();
ensureBuilt();
const installations = new Map(ids.map((id) => [id, orQuit(() => installed(id, agents[id]))]));
const all = orQuit(corpus);
const missing = only.find((name) => !all.some((scenario) => scenario.name === name));
if (missing !== undefined) quit(`There is no scenario ${missing}; the names are those of the files in scenarios/.`);
const scenarios = all.filter(({ name }) => only.length === 0 || only.includes(name));
const runs = scenarios.flatMap((scenario) => ids.filter((id) => scenario.agents.includes(id)).map((id) => ({ scenario, id })));
if (runs.length === 0) quit("None of these scenarios is for these agents.");

/** Ends what is running, and nothing more is begun. */
const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => interruption.abort(name));

const outcomes = [];
const queue = [...runs];
await Promise.all(Array.from({ length: WORKERS }, work));
progress("");
if (interruption.signal.aborted) process.exit(interruption.signal.reason === "SIGINT" ? 130 : 143);
for (const id of ids) {
  const own = outcomes.filter((outcome) => outcome.id === id);
  if (own.length > 0) console.log(report(id, agents[id], own));
}
const consumed = only.length > 0 ? [] : (await Promise.all(ids.map((id) => consumers(id, agents[id], installations.get(id))))).flat();
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
  const place = sandbox(asked.files);
  const model = await scriptedModel(scenario.file);
  const outcome = { scenario, id, problems: [], milliseconds: 0, ledger: [], ...(isKept ? { folder: place.folder } : {}) };
  try {
    const { binary, folder: installation } = installations.get(id);
    const run = await runAgent({ id, agent: agents[id], binary, asked, url: model.url, place, signal: interruption.signal });
    outcome.milliseconds = run.milliseconds;
    outcome.ledger = await model.close();
    outcome.problems = differences(scenario, agents[id], asked.expect, { ...run, ledger: outcome.ledger, workspace: place.workspace });
    const isFixture = isRecorded && asked.record && outcome.problems.length === 0;
    if (isFixture) record({ scenario, id, agent: agents[id], directory: run.directory, place, installation });
  } catch (error) {
    outcome.problems.push(error.message);
  } finally {
    await model.close().catch(() => {});
    if (!isKept) place.remove();
  }
  return outcome;
}

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

function readArguments() {
  const options = { record: { type: "boolean" }, only: { type: "string", multiple: true }, keep: { type: "boolean" } };
  const { values, positionals } = orQuit(() => parseArgs({ options, allowPositionals: true }));
  const ids = positionals.length === 0 ? Object.keys(agents) : [...new Set(positionals)];
  const unknown = ids.find((id) => !Object.hasOwn(agents, id));
  if (unknown !== undefined) quit(`There is no pinned agent ${unknown}; there are ${Object.keys(agents).join(", ")}.`);
  return { ids, only: values.only ?? [], isKept: values.keep === true, isRecorded: values.record === true };
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
