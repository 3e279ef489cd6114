import { join } from "node:path";
import { scripted, writeFile } from "../../host/sink/index.ts";
import { errorWords, isObject, parseObject } from "../../pure/base/index.ts";
import { harness, promptOf, recordedFirst } from "./run-agent.ts";
import type { ScenarioRun } from "./run-scenario.ts";
import { furnish, type Sandbox, sandbox } from "./sandbox.ts";
import { scriptedModel } from "./scripted-model.ts";
import { type Settled, settled } from "./settled.ts";

/** One scenario with one agent: recorded once, and run again several times. */
export interface Reruns {
  readonly scenario: string;
  /** Null: it was not run again, and `problems` says why. */
  readonly runs: number | null;
  readonly exact: number;
  /** Requests of the recorded run. */
  readonly requests: number;
  readonly equal: number;
  /** What was not exact, each once. */
  readonly problems: readonly string[];
  readonly milliseconds: number;
  readonly folder?: string;
}

/** Records a scenario, sealed, and runs it again without the model that answered then. */
export async function rerunScenario(wanted: ScenarioRun, times: number): Promise<Reruns> {
  const { id, pin, cli, scenario, self, isKept, signal } = wanted;
  const { asked } = scenario.for(id);
  const started = performance.now();
  const sum = { runs: 0, exact: 0, requests: 0, equal: 0 };
  const problems = new Set<string>();
  const ended = (runs: number | null) => ({
    scenario: scenario.name,
    ...sum,
    runs,
    problems: [...problems],
    milliseconds: performance.now() - started,
  });
  if (asked.resume !== undefined) {
    problems.add("it resumes a session");
    return ended(null);
  }
  const place = sandbox(asked.files, cli.path);
  const model = await scriptedModel(scenario.file, pin.withholds);
  const kept = isKept ? { folder: place.folder } : {};
  try {
    const agent = settled(pin, model.url, asked.mcp ? [self.mcpServer] : []);
    furnish(place.home, agent.files);
    writeSettings(place, pin.agent ?? id, cli.binary, {
      ...agent,
      args: [...agent.args, ...asked.args],
      environment: { ...agent.environment, ...asked.env },
    });
    const own = { cli: self.cli, place, signal };
    const options = ["--timeout", asked.timeout, "--model-url", model.url, ...agent.options, ...asked.options];
    const name = asked.model ?? agent.model;
    const observed = await harness(
      own,
      [
        "observe",
        ...promptOf(asked.prompt, place),
        "--agent",
        pin.agent ?? id,
        "--workspace",
        place.workspace,
        "--out",
        join(place.folder, "observed"),
        "--isolate",
        "sealed",
        "--wire",
        "--permissions",
        asked.permissions,
        ...(name === undefined ? [] : ["--model", name]),
        ...options,
      ],
      asked.signal === undefined ? undefined : { ...asked.signal, when: join("../observed/workspace", asked.signal.when) },
    );
    await model.close();
    for (let i = 0; i < times && !signal.aborted; i++) {
      const { code, stdout, stderr } = await harness(own, [
        "rerun",
        recordedFirst(place),
        "--workspace",
        place.workspace,
        ...options,
        "--json",
      ]);
      const result = parseObject(stdout.trim());
      if (result === undefined) {
        const why = stderr.trim().split("\n").at(-1) ?? `it ended with ${code}`;
        problems.add(observed.code === 2 ? observed.stderr.trim() : why);
        return ended(null);
      }
      sum.runs++;
      const requests = isObject(result["requests"]) ? result["requests"] : {};
      sum.requests = Number(requests["recorded"]);
      sum.equal += Number(requests["equal"]);
      if (result["exact"] === true) sum.exact++;
      else problems.add(problemOf(result));
      if (isKept) writeFile(join(place.folder, `rerun-${i}.json`), scripted(`${JSON.stringify(result, null, 1)}\n`));
    }
    return { ...ended(sum.runs), ...kept };
  } catch (error) {
    problems.add(errorWords(error));
    return { ...ended(null), ...kept };
  } finally {
    await model.close();
    if (!isKept) place.remove();
  }
}

/** The user's own settings: nothing in a recording names the program. */
function writeSettings({ home }: Sandbox, id: string, binary: string, { args, environment, isInside }: Settled): void {
  const lines = [
    `[agents.${id}]`,
    ...(isInside === true ? [] : [`binary = ${JSON.stringify(binary)}`]),
    `args = ${JSON.stringify(args)}`,
    `[agents.${id}.env]`,
    ...Object.entries(environment).map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`),
  ];
  furnish(home, { ".config/harness/harness.toml": `${lines.join("\n")}\n` });
}

function problemOf({ divergence, files, said, status }: Readonly<Record<string, unknown>>): string {
  if (isObject(divergence)) {
    const [first] = Array.isArray(divergence["diff"]) ? divergence["diff"].filter(isObject) : [];
    return `request ${divergence["request"] ?? divergence["recorded"]} ${divergence["kind"]}${first === undefined ? "" : `, ${first["text"]}`}`;
  }
  if (isObject(files) && files["equal"] === false) return `files differ: ${String(files["differing"])}`;
  return said === false ? "the agent's texts differ" : `status ${JSON.stringify(status)}`;
}
