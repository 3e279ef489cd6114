import { HarnessError } from "../../pure/base/index.ts";
import { consumers } from "./consumers.ts";
import type { CorpusScenario } from "./corpus-scenario.ts";
import type { RecordedShapes } from "./drift.ts";
import type { Cli } from "./find-cli.ts";
import type { Outcome } from "./outcome.ts";
import type { Pin } from "./pin.ts";
import { runScenario } from "./run-scenario.ts";
import type { Self } from "./self.ts";
import { type Summary, summarize } from "./summary.ts";

export interface Conformance {
  readonly agents: readonly { readonly id: string; readonly pin: Pin; readonly cli: Cli }[];
  readonly scenarios: readonly CorpusScenario[];
  readonly jobs: number;
  readonly isKept: boolean;
  /** The level of isolation of every run. */
  readonly isolate?: string | undefined;
  /** Record every run's requests, and compare them with what the model served. */
  readonly isWired?: boolean | undefined;
  /** The folder for fixtures of the successful runs; undefined writes none. */
  readonly fixtures: string | undefined;
  /** Also run the readers that specification 001 shows. */
  readonly hasConsumers: boolean;
  readonly self: Self;
  readonly recorded: ReadonlyMap<string, RecordedShapes>;
  /** Stops the running scenarios and starts no more. */
  readonly signal: AbortSignal;
  readonly onRun: (progress: Progress) => void;
}

export interface Progress {
  readonly done: number;
  readonly all: number;
  readonly agent: string;
  readonly scenario: string;
  readonly isGood: boolean;
}

/** Runs the corpus agent by agent and yields each agent's summary as soon as it is complete. */
export async function* conform(options: Conformance): AsyncGenerator<Summary> {
  const runs = options.agents.map((agent) => ({ ...agent, scenarios: options.scenarios.filter((each) => each.agents.includes(agent.id)) }));
  const all = runs.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  if (all === 0) throw new HarnessError("usage", "None of the selected scenarios applies to the selected agents.");
  let done = 0;
  for (const { id, pin, cli, scenarios } of runs.filter((run) => run.scenarios.length > 0)) {
    const outcomes: Outcome[] = [];
    const queue = [...scenarios];
    const work = async () => {
      for (let scenario = queue.shift(); scenario !== undefined && !options.signal.aborted; scenario = queue.shift()) {
        const outcome = await runScenario({ ...options, id, pin, cli, scenario });
        outcomes.push(outcome);
        options.onRun({ done: ++done, all, agent: id, scenario: scenario.name, isGood: outcome.problems.length === 0 });
      }
    };
    await Promise.all(Array.from({ length: options.jobs }, work));
    if (options.signal.aborted) return;
    const consumed = options.hasConsumers && !pin.isNamed ? await consumers(id, pin, cli, options.self) : [];
    yield summarize({
      agent: id,
      version: cli.version,
      label: cli.label,
      outcomes,
      recorded: options.recorded.get(id),
      consumers: consumed,
    });
  }
}
