import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { HarnessError, namedOrSuggest, printableJson } from "../../../pure/base/index.ts";
import {
  type Conformance,
  type CorpusScenario,
  conform,
  corpus,
  exceptionsOf,
  findCli,
  isGood,
  pins,
  type RerunSummary,
  recordedShapes,
  rerunCorpus,
  type Self,
  type Summary,
  whyNotHere,
  writeReport,
} from "../../../work/conformance/index.ts";
import { FAILED, inTerminal, onStopSignals, say, sentenceOf, setExitCode, write } from "../../terminal/index.ts";
import { packageRoot } from "../options/index.ts";
import { isOffline, rerunOffline } from "./offline.ts";
import { progressLine } from "./progress-line.ts";
import { renderReruns } from "./render-reruns.ts";
import { renderSummary } from "./render-summary.ts";

export interface ConformanceFlags {
  readonly scenario: readonly string[];
  readonly core?: true;
  readonly install?: true;
  readonly record?: true;
  readonly json?: true;
  readonly report?: string;
  readonly jobs: number;
  readonly isolate?: string;
  readonly wire?: true;
  readonly rerun?: number;
  readonly keep?: true;
}

/** `harness conformance`: finds the CLIs and runs the corpus, without network if the machine allows it. */
export async function runConformance(names: readonly string[], flags: ConformanceFlags): Promise<void> {
  const self = selfOf();
  const all = corpus(join(self.root, "scenarios"), pins);
  const scenarios = chosen(all, flags);
  const { agents, missing } = await findAgents(names, flags);
  if (agents.length === 0) throw new HarnessError("start", missing.length === 1 ? (missing[0]?.problem ?? NOTHING) : NOTHING);
  const code = isOffline() ? undefined : await rerunOffline();
  if (code !== undefined) return setExitCode(code);
  if (!isOffline()) say(NETWORK_OPEN);
  for (const each of missing) await reportMissing(each, flags);
  await runHere({ self, all, scenarios, agents }, flags);
}

const NETWORK_OPEN = "This machine cannot cut off the network (unshare); the agents are only asked not to use it.";

interface Found extends Pick<Conformance, "self" | "scenarios" | "agents"> {
  readonly all: readonly CorpusScenario[];
}

async function runHere({ self, all, scenarios, agents }: Found, flags: ConformanceFlags): Promise<void> {
  const interruption = new AbortController();
  const signals = onStopSignals(() => interruption.abort());
  const line = progressLine();
  const summaries: Summary[] = [];
  try {
    const asked: Conformance = {
      agents,
      scenarios,
      self,
      jobs: flags.jobs,
      isolate: flags.isolate,
      isWired: flags.wire,
      isKept: flags.keep === true,
      fixtures: flags.record === true ? resolve("fixtures") : undefined,
      hasConsumers: flags.scenario.length === 0 && flags.core !== true,
      recorded: recordedShapes(),
      signal: interruption.signal,
      onRun: line.show,
    };
    if (flags.rerun !== undefined) {
      for await (const summary of rerunCorpus(asked, flags.rerun)) {
        line.clear();
        await write(flags.json === true ? jsonOf(summary) : renderReruns(summary));
        if (summary.exact < summary.runs) setExitCode(FAILED);
      }
      return;
    }
    for await (const summary of conform(asked)) {
      line.clear();
      summaries.push(summary);
      await write(flags.json === true ? jsonOf(summary) : renderSummary(summary));
    }
  } finally {
    line.clear();
    const bySignal = signals.done();
    if (bySignal !== undefined) setExitCode(bySignal);
    else if (!summaries.every(isGood)) setExitCode(FAILED);
  }
  if (flags.report !== undefined && !interruption.signal.aborted) writeReport(flags.report, summaries, exceptionsOf(pins, all));
}

function selfOf(): Self {
  const cli = realpathSync(process.argv[1] ?? "");
  return { cli, root: packageRoot(), mcpServer: join(dirname(cli), "mcp-server.js") };
}

function chosen(all: readonly CorpusScenario[], { scenario: names, core }: ConformanceFlags): readonly CorpusScenario[] {
  const known = all.map(({ name }) => name);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) throw new HarnessError("usage", namedOrSuggest("scenario", wrong, known));
  return all.filter(({ name, isCore }) => (names.length === 0 || names.includes(name)) && (isCore || core !== true));
}

interface Missing {
  readonly agent: string;
  readonly version: null;
  readonly problem: string;
}

async function findAgents(
  names: readonly string[],
  { install }: ConformanceFlags,
): Promise<{ readonly agents: Conformance["agents"]; readonly missing: readonly Missing[] }> {
  const ids = names.length > 0 ? [...new Set(names)] : [...pins].filter(([, pin]) => whyNotHere(pin) === undefined).map(([id]) => id);
  const found: Conformance["agents"][number][] = [];
  const missing: Missing[] = [];
  for (const id of ids) {
    const pin = pins.get(id);
    if (pin === undefined) throw new HarnessError("usage", namedOrSuggest("pinned agent", id, [...pins.keys()]));
    try {
      found.push({ id, pin, cli: await findCli(id, pin, { install: install === true, env: process.env, say }) });
    } catch (error) {
      if (!(error instanceof HarnessError) || install === true) throw error;
      missing.push({ agent: id, version: null, problem: sentenceOf(error) });
    }
  }
  return { agents: found, missing };
}

async function reportMissing(missing: Missing, { json }: ConformanceFlags): Promise<void> {
  if (json === true) await write(jsonOf(missing));
  else say(missing.problem);
}

const NOTHING = "None of these agents is on PATH or in the cache. Install one, or download the pinned versions with --install.";

function jsonOf(result: Summary | RerunSummary | Missing): string {
  const text = `${JSON.stringify(result)}\n`;
  return inTerminal() ? printableJson(text) : text;
}
