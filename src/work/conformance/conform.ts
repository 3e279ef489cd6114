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
  /** The agents to run, by the ids of their pins. */
  readonly agents: readonly { readonly id: string; readonly pin: Pin; readonly cli: Cli }[];
  readonly scenarios: readonly CorpusScenario[];
  /** How many runs at once. */
  readonly jobs: number;
  readonly isKept: boolean;
  /** Where fixtures are made of the runs that went well; undefined for nowhere. */
  readonly fixtures: string | undefined;
  /** Whether the readers that specification 001 shows are run too. */
  readonly hasConsumers: boolean;
  readonly self: Self;
  readonly recorded: ReadonlyMap<string, RecordedShapes>;
  /** Ends what is running, and nothing more is begun. */
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

/** Runs the corpus, agent by agent, and tells of each one when it is done. */
export async function* conform(options: Conformance): AsyncGenerator<Summary> {
  const runs = options.agents.map((agent) => ({ ...agent, scenarios: options.scenarios.filter((each) => each.agents.includes(agent.id)) }));
  const all = runs.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  if (all === 0) throw new HarnessError("usage", "None of these scenarios is for these agents.");
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
