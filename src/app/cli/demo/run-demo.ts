import { mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import {
  dataOfRun,
  eventsOfRun,
  type LiveRun,
  planRun,
  readManifest,
  runPaths,
  sessionPaths,
  startRun,
  verifyRun,
} from "../../../host/recording/index.ts";
import { findAgent, ownAgent } from "../../../pure/agents/index.ts";
import { collapse, graphSvg, outline } from "../../../pure/conversation/index.ts";
import type { LogRecord } from "../../../pure/events/index.ts";
import { log } from "../../../pure/views/index.ts";
import { colors, onStopSignals, saveText, setExitCode, statusExitCode, watchReader, write } from "../../terminal/index.ts";
import { packageRoot } from "../options/index.ts";
import { printAccount } from "../print-records.ts";
import { demoAccount } from "./demo-account.ts";

const PROMPT = "Write discounted(price, percent) in src/price.js, with tests, and make sure that they pass.";

/** `harness demo`: the built-in agent works on real files. Everything except the model is the same as in any run. */
export async function runDemo(speed: number): Promise<void> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "harness-demo-")));
  saveText(join(place, "package.json"), '{ "name": "shop", "type": "module" }\n');
  const model = await scriptedModel(speed);
  watchReader();
  await write(
    paragraph([
      "This is a live run. The built-in agent writes files, runs commands and starts a",
      "subagent. Only its model is scripted and runs on this machine: no account, no",
      "network. harness records the run like any other.",
    ]),
  );
  const call = { agent: ownAgent, prompt: PROMPT, cwd: place, model: "local/scripted", permissions: "full" as const };
  const more = { env: { LOCAL_MODEL_URL: `${model.url}/v1` }, name: "demo", tags: ["demo"] };
  const stop = new AbortController();
  let live: LiveRun<LogRecord> | undefined;
  const signals = onStopSignals(() => (live === undefined ? stop.abort() : live.cancel()));
  try {
    live = await startRun(planRun({ ...call, ...more }), { ...call, ...more, signal: stop.signal }, log);
    await printAccount(live.batches());
    setExitCode(statusExitCode((await live.sealed).status));
  } finally {
    const seal = await live?.sealed.catch(() => undefined);
    const bySignal = signals.done();
    if (bySignal !== undefined && seal?.status === "canceled") setExitCode(bySignal);
    await model.close();
  }
  await write(await afterwards(live.id, live.directory, place));
}

/** The pauses of the scenario are for people; a higher speed shortens them. */
async function scriptedModel(speed: number) {
  const { readModelScenario, serveModel } = await import("../../../work/model/index.ts");
  const file = join(packageRoot(), "demo/shop.yaml");
  const scenario = readModelScenario(readFileSync(file, "utf8"), file);
  const scripts = scenario.scripts.map((script) => ({
    ...script,
    turns: script.turns.map((turn) => ({
      ...turn,
      delayMs: turn.delayMs / speed,
      chunk: { ...turn.chunk, everyMs: turn.chunk.everyMs / speed },
    })),
  }));
  return serveModel({ scenarios: [{ ...scenario, scripts }] });
}

async function afterwards(id: string, directory: string, place: string): Promise<string> {
  const paths = runPaths(directory);
  const manifest = readManifest(paths.manifest);
  const agent = findAgent(manifest.agent);
  const flaws = await verifyRun(manifest, paths, sessionPaths(dataOfRun(directory).sessions, id).stream, agent);
  const { records = 0, events = 0 } = manifest.sealed ?? {};
  const proof = `${records} records, ${events} events. Deriving them again from the raw bytes gives the same result.`;
  const { lines, graph } = await demoAccount(eventsOfRun(manifest, directory, agent), manifest.id);
  const picture = join(place, "graph.svg");
  saveText(picture, graphSvg(collapse(outline(graph)), `native · ${id}`));
  const self = command();
  const next: readonly (readonly [string, string])[] = [
    [`view ${id}`, "open this run in the browser"],
    [`derive ${id}`, "print what the agent did, as JSON lines"],
    [`graph ${id} -o run.svg`, "draw the conversation"],
    [`replay ${id}`, "watch it again"],
    [`verify ${id}`, "check that the recording is intact"],
    [`run --resume ${id} -p "…"`, "ask the agent something else"],
    ['run --agent claude -p "…"', "run a different agent"],
  ];
  const width = Math.max(...next.map(([line]) => line.length));
  return paragraph([
    flaws.length === 0 ? `${colors.green("✓")} ${proof}` : `${colors.red("✗")} ${flaws[0]?.problem}`,
    "",
    ...lines,
    "",
    `${heading("Picture")}    ${picture}`,
    `${heading("Code")}       ${join(place, "src/price.js")}`,
    `${heading("Recording")}  ${directory}`,
    "",
    "Next:",
    "",
    ...next.map(([line, meaning]) => `  ${self} ${line.padEnd(width)}  ${colors.dim(meaning)}`),
  ]);
}

function heading(text: string): string {
  return colors.bold(text);
}

function paragraph(lines: readonly string[]): string {
  return `\n${lines.join("\n")}\n\n`;
}

/** How the reader can start harness: by its name if it is installed, else the way this process was started. */
function command(): string {
  const script = process.argv[1] ?? "harness";
  if (basename(script) === "harness") return "harness";
  const path = relative(process.cwd(), script);
  return `node ${path.startsWith("..") ? script : path}`;
}
