import type { Conformance } from "./conform.ts";
import { type Reruns, rerunScenario } from "./rerun-scenario.ts";

/** How exactly an agent's recorded runs were repeated. */
export interface RerunSummary {
  readonly agent: string;
  readonly label: string;
  readonly runs: number;
  readonly exact: number;
  readonly scenarios: readonly Reruns[];
}

/** Records every scenario and runs it again, agent by agent. */
export async function* rerunCorpus(options: Conformance, times: number): AsyncGenerator<RerunSummary> {
  const runs = options.agents.map((agent) => ({ ...agent, scenarios: options.scenarios.filter((each) => each.agents.includes(agent.id)) }));
  const all = runs.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  let done = 0;
  for (const { id, pin, cli, scenarios } of runs) {
    const outcomes: Reruns[] = [];
    const queue = [...scenarios];
    const work = async () => {
      for (let scenario = queue.shift(); scenario !== undefined && !options.signal.aborted; scenario = queue.shift()) {
        const outcome = await rerunScenario({ ...options, id, pin, cli, scenario }, times);
        outcomes.push(outcome);
        options.onRun({ done: ++done, all, agent: id, scenario: scenario.name, isGood: outcome.exact === outcome.runs });
      }
    };
    await Promise.all(Array.from({ length: options.jobs }, work));
    if (options.signal.aborted) return;
    const sum = (name: "runs" | "exact") => outcomes.reduce((total, each) => total + (each[name] ?? 0), 0);
    yield {
      agent: id,
      label: cli.label,
      runs: sum("runs"),
      exact: sum("exact"),
      scenarios: outcomes.sort((a, b) => a.scenario.localeCompare(b.scenario)),
    };
  }
}
