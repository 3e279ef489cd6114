import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scripted, writeFile } from "../../host/sink/index.ts";
import { errorWords } from "../../pure/base/index.ts";
import type { LedgerEntry } from "../model/index.ts";
import { compareWire } from "./compare-wire.ts";
import type { CorpusScenario } from "./corpus-scenario.ts";
import type { Cli } from "./find-cli.ts";
import { fixtureOf } from "./fixture-of.ts";
import { judge } from "./judge.ts";
import { leftovers } from "./leftovers.ts";
import type { Outcome } from "./outcome.ts";
import type { Pin } from "./pin.ts";
import { record } from "./record.ts";
import { beginSession, type RecordedRun, runAgent } from "./run-agent.ts";
import { furnish, type Sandbox, sandbox } from "./sandbox.ts";
import { scriptedModel } from "./scripted-model.ts";
import type { Self } from "./self.ts";
import { type Settled, settled } from "./settled.ts";
import { type Shapes, shapeCollector } from "./shapes.ts";

export interface ScenarioRun {
  readonly id: string;
  readonly pin: Pin;
  readonly cli: Cli;
  readonly scenario: CorpusScenario;
  readonly self: Self;
  readonly isKept: boolean;
  readonly isolate?: string | undefined;
  readonly isWired?: boolean | undefined;
  readonly fixtures: string | undefined;
  readonly signal: AbortSignal;
}

/** Runs one scenario with one agent in its own sandbox. Every failure becomes a problem in the outcome. */
export async function runScenario(wanted: ScenarioRun): Promise<Outcome> {
  const { id, pin, cli, scenario, self, isKept, signal } = wanted;
  const { asked, expected } = scenario.for(id);
  const place = sandbox(asked.files, cli.path);
  const model = await scriptedModel(scenario.file, pin.withholds);
  const kept = isKept ? { folder: place.folder } : {};
  try {
    const agent = walled(settled(pin, model.url, asked.mcp ? [self.mcpServer] : []), model.url, wanted);
    furnish(place.home, agent.files);
    const settings = { id: pin.agent ?? id, agent, binary: cli.binary, asked, place, cli: self.cli, signal };
    if (asked.resume !== undefined) await beginSession(settings);
    const earlier = asked.resume === undefined ? 0 : await model.served();
    const run = await runAgent(settings);
    const ledger = (await model.close()).slice(earlier);
    if (isKept) writeFile(join(place.folder, "ledger.jsonl"), scripted(ledger.map((entry) => `${JSON.stringify(entry)}\n`).join("")));
    const judgement = judge(scenario, pin, expected, { ...run, ledger, workspace: place.workspace });
    const wired = wanted.isWired === true ? compareWire(run.log, ledger) : [];
    const problems = [...judgement.problems, ...wired, ...leftovers(place.workspace)];
    if (asked.record && problems.length === 0) keep(wanted, run, place);
    const unread = run.unread.map(({ raw }) => raw);
    const { milliseconds, lines } = run;
    const served = { requests: ledger.length, tokens: tokensOf(ledger) };
    const shapes = asked.record ? shapesIn(run.directory) : new Map();
    return { scenario: scenario.name, problems, judgement, milliseconds, lines, unread, ...served, shapes, ...kept };
  } catch (error) {
    const problems = [errorWords(error)];
    const nothing = { milliseconds: 0, lines: 0, unread: [], requests: 0, tokens: 0, shapes: new Map() };
    return { scenario: scenario.name, problems, judgement: null, ...nothing, ...kept };
  } finally {
    await model.close();
    leftovers(place.folder);
    if (!isKept) place.remove();
  }
}

/** The same agent inside walls, or with its requests recorded. A sealed one reaches only the model. */
function walled(agent: Settled, url: string, { isolate: level, isWired = false }: ScenarioRun): Settled {
  const inside = level === undefined ? [] : ["--isolate", level];
  const named = level === "sealed" || isWired ? ["--model-url", url] : [];
  return { ...agent, options: [...agent.options, ...inside, ...named, ...(isWired ? ["--wire"] : [])] };
}

function keep({ id, pin, cli, scenario, fixtures }: ScenarioRun, { directory }: RecordedRun, place: Sandbox): void {
  if (fixtures === undefined) return;
  const { label, folder: installation } = cli;
  record({ scenario, ...fixtureOf(id, pin), label, directory, place, installation, fixtures });
}

/** The shapes of the output, if it is small enough for a fixture. */
function shapesIn(directory: string): Shapes {
  const collector = shapeCollector();
  for (const line of readFileSync(join(directory, "raw.jsonl"), "utf8").split("\n")) collector.see(line);
  return collector.shapes;
}

function tokensOf(ledger: readonly LedgerEntry[]): number {
  return ledger.flatMap(({ usage }) => Object.values(usage ?? {})).reduce((sum, count) => sum + count, 0);
}
