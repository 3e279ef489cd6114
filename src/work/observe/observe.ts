import { statSync } from "node:fs";
import { resolve } from "node:path";
import { agentNamed, type Derivation, oneByOne } from "../../host/recording/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { CheckBody, RunStatus } from "../../pure/events/index.ts";
import type { Agent } from "../../pure/pipeline/index.ts";
import type { DecisionEvent, Truth } from "../../pure/views/index.ts";
import { type CheckResult, checkResult } from "./check.ts";
import { watchCommands } from "./commands/index.ts";
import { checkNames, evaluateRun, readPolicy } from "./evaluation/index.ts";
import type { ObserveOptions } from "./observe-options.ts";
import { readScenario } from "./read-scenario.ts";
import { promptScenario, type Scenario } from "./scenario.ts";
import { startObservation } from "./start-observation.ts";

/** The options of an observation. It needs an agent, and either a scenario or a prompt. */
export interface ObserveCall extends Omit<ObserveOptions, "scenario"> {
  /** A scenario file (Markdown, YAML or JSON), or the scenario itself. */
  readonly scenario?: string | Scenario | undefined;
  readonly prompt?: string | undefined;
}

/** A running observation. It continues whether or not you read its nine events, which can be read once. */
export interface Observation extends Derivation<DecisionEvent> {
  readonly id: string;
  /** The directory of the recording. */
  readonly directory: string;
  /** The directory of the observation. */
  readonly out: string;
  readonly agent: Agent;
  /** Options that the agent does not support. */
  readonly ignored: readonly string[];
  /** Asks the agent to stop; a second call ends it immediately. */
  cancel(): void;
  /** Resolves when everything is sealed and signed. */
  readonly done: Promise<Observed>;
}

export interface Observed {
  readonly status: RunStatus | null;
  /** The head of the recording's hash chain. */
  readonly head: string;
  /** The result of each check. */
  readonly checks: readonly CheckResult[];
  /** Whether the agent's report matches what was observed; null if that was not compared. The view `truth` has the findings. */
  readonly truth: Truth["verdict"] | null;
}

/**
 * Runs an agent in its own workspace and observes from outside what it does: files, commands, checks. Resolves when the agent is being
 * started. If a requested option is impossible, rejects and leaves nothing behind.
 */
export async function observe({ scenario, prompt, ...options }: ObserveCall): Promise<Observation> {
  const asked = scenarioOf(scenario, prompt);
  const { agent, workspace, checks = [], policy, wrap } = options;
  checkNames(checks);
  if (policy !== undefined) readPolicy(policy);
  if (workspace !== undefined) checkWorkspace(workspace);
  if (wrap !== undefined) checkWrapped(wrap);
  let verdicts: readonly CheckBody[] = [];
  let truth: Observed["truth"] = null;
  const live = await startObservation(
    {
      ...options,
      scenario: asked,
      ...(typeof agent === "string" && { agent: await agentNamed(agent) }),
      ...(workspace !== undefined && { workspace: resolve(workspace) }),
    },
    {
      watchCommands,
      async evaluate(input) {
        verdicts = await evaluateRun(input, ({ verdict }) => {
          truth = verdict;
        });
        return verdicts;
      },
    },
  );
  async function ended(): Promise<Observed> {
    const { status, head } = await live.sealed;
    return { status, head, checks: verdicts.map(checkResult), truth };
  }
  const done = ended();
  done.catch(() => {}); // readers of the events see it there
  const { id, directory, out, plan } = live;
  const batches = () => live.batches();
  return {
    id,
    directory,
    out,
    agent: plan.agent,
    ignored: plan.ignored,
    cancel: () => live.cancel(),
    done,
    batches,
    [Symbol.asyncIterator]: () => oneByOne(batches()),
  };
}

function scenarioOf(scenario: string | Scenario | undefined, prompt: string | undefined): Scenario {
  if (scenario !== undefined && prompt !== undefined)
    throw new HarnessError("usage", "Pass either a scenario or a prompt: a scenario contains its own request.");
  if (prompt !== undefined) return promptScenario(prompt);
  if (scenario === undefined) throw new HarnessError("usage", "An observation needs a task: pass a scenario or a prompt.");
  return typeof scenario === "string" ? readScenario(scenario) : scenario;
}

function checkWrapped(names: readonly string[]): void {
  const odd = names.length === 0 ? "" : names.find((name) => name.includes("/"));
  if (odd === undefined) return;
  throw new HarnessError("usage", `\`wrap\` takes names of programs, such as git and npm, or all. Found ${JSON.stringify(odd)}.`, {
    option: "wrap",
  });
}

function checkWorkspace(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new HarnessError("usage", `Workspace not found: ${path}.`, { option: "workspace" });
}
