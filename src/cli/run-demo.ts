import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import colors from "picocolors";
import { findAgent } from "../agents/find-agent.ts";
import { planRun } from "../recorder/plan-run.ts";
import { type LiveRun, startRun } from "../recorder/run.ts";
import { verifyRun } from "../recorder/verify-run.ts";
import { dataOfRun } from "../store/find-run.ts";
import { readManifest } from "../store/run-manifest.ts";
import { runPaths, sessionPaths } from "../store/run-paths.ts";
import { type LogRecord, log } from "../views/log.ts";
import { setExitCode } from "./exit-code.ts";
import { statusExitCode } from "./exit-codes.ts";
import { write } from "./output.ts";
import { packageRoot } from "./package-root.ts";
import { printAccount } from "./print-records.ts";
import { onStopSignals } from "./signals.ts";

const PROMPT = "The tests fail since the last change of the discount. Find out why and fix it.";
const FASTEST = 1e9;

/** `harness demo`: a recording in the agent's place; everything else is as in any run. */
export async function runDemo(speed: number): Promise<void> {
  const root = packageRoot();
  const recording = join(root, "fixtures/claude/demo");
  const { version } = JSON.parse(readFileSync(join(recording, "meta.json"), "utf8")) as { version: string };
  await write(
    paragraph([
      `This is a recording: what ${version.replace(/^claude-code/, "Claude Code")} printed, byte for byte, while a scripted model told it what to do.`,
      "A small program prints it again at its own pace, in place of the agent. From there on everything is real:",
      "the run is recorded, translated and shown like any other.",
    ]),
  );
  const args = [join(root, "demo/play.mjs"), recording, String(Math.min(speed, FASTEST))];
  const call = { agent: "claude", prompt: PROMPT, binary: process.execPath, name: "demo", tags: ["demo"] };
  const stop = new AbortController();
  let live: LiveRun<LogRecord> | undefined;
  const signals = onStopSignals(() => (live === undefined ? stop.abort() : live.cancel()));
  try {
    live = await startRun({ ...planRun(call), args }, { ...call, signal: stop.signal }, log);
    await printAccount(live.batches());
    setExitCode(statusExitCode((await live.sealed).status));
  } finally {
    const seal = await live?.sealed.catch(() => undefined);
    const bySignal = signals.done();
    if (bySignal !== undefined && seal?.status === "canceled") setExitCode(bySignal);
  }
  await write(await afterwards(live.id, live.directory));
}

async function afterwards(id: string, directory: string): Promise<string> {
  const paths = runPaths(directory);
  const manifest = readManifest(paths.manifest);
  const flaws = await verifyRun(manifest, paths, sessionPaths(dataOfRun(directory).sessions, id).stream, findAgent(manifest.agent));
  const { records = 0, events = 0 } = manifest.sealed ?? {};
  const proof = `${records} records, ${events} events; deriving them again from the raw bytes gives what you just saw.`;
  const self = command();
  const next: readonly (readonly [string, string])[] = [
    [`derive ${id} --view activity`, "what it did, as specification 000 has it"],
    [`derive ${id} --view stream`, "the unified stream of specification 001"],
    [`replay ${id} --speed 4`, "the same again, four times as fast"],
    [`sessions show ${id}`, "what is known of it"],
    [`sessions verify ${id}`, "whether it is still what was sealed"],
    ['run --agent claude --prompt "…"', "and now a real one"],
  ];
  const width = Math.max(...next.map(([line]) => line.length));
  const lines = next.map(([line, meaning]) => `  ${self} ${line.padEnd(width)}  ${colors.dim(meaning)}`);
  return paragraph([
    flaws.length === 0 ? `${colors.green("✓")} ${proof}` : `${colors.red("✗")} ${flaws[0]?.problem}`,
    "",
    `It is an ordinary run now, in ${directory}. Try:`,
    "",
    ...lines,
  ]);
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
