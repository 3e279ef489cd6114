import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import colors from "picocolors";
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
import { onStopSignals, setExitCode, statusExitCode, write } from "../../terminal/index.ts";
import { packageRoot } from "../options/index.ts";
import { printAccount } from "../print-records.ts";
import { demoAccount } from "./demo-account.ts";

const PROMPT = "Write discounted(price, percent) in src/price.js, with tests, and make sure that they pass.";

/** `harness demo`: our own agent on a scripted model, at work on real files. Everything but the model's mind is as in any run. */
export async function runDemo(speed: number): Promise<void> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "harness-demo-")));
  writeFileSync(join(place, "package.json"), '{ "name": "shop", "type": "module" }\n');
  const model = await scriptedModel(speed);
  await write(
    paragraph([
      `This is a live run: harness's own agent works in ${place}.`,
      "It writes files, runs commands and sends a helper out. Only its model is scripted, and served on this machine:",
      "no account, no network. The run is recorded, translated and shown like that of any other agent.",
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

/** The scenario's pauses are for people: at a higher speed they are shorter. */
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
  const proof = `${records} records, ${events} events; deriving them again from the raw bytes gives what you just saw.`;
  const { lines, graph } = await demoAccount(eventsOfRun(manifest, directory, agent), manifest.id);
  const picture = join(place, "graph.svg");
  writeFileSync(picture, graphSvg(collapse(outline(graph)), `native · ${id}`));
  const self = command();
  const next: readonly (readonly [string, string])[] = [
    [`derive ${id} --view activity`, "what it did, as specification 000 has it"],
    [`derive ${id} --view stream`, "the unified stream of specification 001"],
    [`derive ${id} --view conversation`, "the events of specification 002"],
    [`graph ${id} -o run.svg`, "the picture again"],
    [`replay ${id}`, "the same once more, at its own pace"],
    [`runs verify ${id}`, "whether it is still what was sealed"],
    [`run --resume ${id} --prompt "…"`, "go on with it, with any model"],
    ['run --agent claude --prompt "…"', "and now another agent"],
  ];
  const width = Math.max(...next.map(([line]) => line.length));
  return paragraph([
    flaws.length === 0 ? `${colors.green("✓")} ${proof}` : `${colors.red("✗")} ${flaws[0]?.problem}`,
    "",
    ...lines,
    "",
    `${heading("A picture of it")}  ${picture}`,
    `${heading("What it wrote")}    ${join(place, "src/price.js")}`,
    `${heading("The recording")}    ${directory}`,
    "",
    "To go on:",
    "",
    ...next.map(([line, meaning]) => `  ${self} ${line.padEnd(width)}  ${colors.dim(meaning)}`),
  ]);
}

function heading(words: string): string {
  return colors.bold(words);
}

function paragraph(lines: readonly string[]): string {
  return `\n${lines.join("\n")}\n\n`;
}

/** How the reader can call us: by name where we are installed, else as we were called. */
function command(): string {
  const script = process.argv[1] ?? "harness";
  if (basename(script) === "harness") return "harness";
  const path = relative(process.cwd(), script);
  return `node ${path.startsWith("..") ? script : path}`;
}
