// `npm run campaign -- --minutes 30`: random agents, faults and concurrent commands over one store. After each round it checks what must
// hold (campaign/invariants.mjs). The same seed draws the same round: `npm run campaign -- --seed <seed> --rounds 1`.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { faults } from "./campaign/faults.mjs";
import { ofCommand, ofRun, ofStore } from "./campaign/invariants.mjs";
import { canary } from "./campaign/output.mjs";
import { chance, generator, pick, upTo } from "./campaign/random.mjs";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

const BIN = join(root, "dist/cli/harness.js");
const AGENT = join(root, "scripts/campaign/agent.mjs");
const VIEWS = ["activity", "stream", "log", "result", "trajectory", "conversation", "capture", "markdown"];
/** Enough for the machine's slowest minute; no command may take longer. */
const LONGEST_MS = 120_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    rounds: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    keep: { type: "boolean", default: false },
  },
});
ensureInstalled();
ensureBuilt();

const base = mkdtempSync(join(tmpdir(), "harness-campaign-"));
const store = { root: join(base, "harness"), runs: join(base, "harness/runs"), workspace: join(base, "workspace") };
for (const folder of [store.workspace, store.runs]) mkdirSync(folder, { recursive: true });
const known = new Set();
const deleted = new Set();
const seeds = [];
const counts = { rounds: 0, runs: 0, commands: {}, faults: {}, checks: {} };
const broken = [];

const first = Number(values.seed);
const end = Date.now() + Number(values.minutes) * 60_000;
for (let i = 0; i < Number(values.rounds) && Date.now() < end; i++) await round(first + i);
console.log(JSON.stringify({ seed: first, ...counts, checked: Object.values(counts.checks).reduce((a, b) => a + b, 0), broken }, null, 2));
if (values.keep || broken.length > 0) console.error(`The store is in ${base}.`);
else rmSync(base, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = broken.length > 0 ? 1 : 0;

async function round(seed) {
  const random = generator(seed);
  const started = Array.from({ length: 1 + (random() % 3) }, (_, i) => recorded(seed * 10 + i, random));
  const disturbing = Array.from({ length: random() % 5 }, () => disturbed(random));
  const runs = await Promise.all(started);
  const commands = [...runs, ...(await Promise.all(disturbing))];
  for (const command of commands) await check(seed, ofCommand, { ...command, seeds }, command.args.join(" "));
  const quiet = async (args) => {
    const done = await finished(args);
    await check(seed, ofCommand, { ...done, seeds }, args.join(" "));
    return done;
  };
  await check(seed, ofStore, { ...store, known, deleted, seeds, harness: quiet }, "the store");
  for (const run of runs) {
    for (const [id, manifest] of manifests()) {
      if (!manifest.tags?.includes(`seed-${run.seed}`)) continue;
      known.add(id);
      await check(seed, ofRun, { ...run, id, manifest, directory: join(store.runs, id), harness: quiet }, `${id}, ${run.name}`);
    }
  }
  counts.rounds++;
  counts.runs += runs.length;
  process.stderr.write(`round ${counts.rounds}, seed ${seed}: ${runs.map(({ name }) => name).join("; ")}; ${disturbing.length} commands\n`);
}

async function check(seed, invariants, subject, what) {
  for (const [name, holds] of Object.entries(invariants)) {
    counts.checks[name] = (counts.checks[name] ?? 0) + 1;
    try {
      await holds(subject);
    } catch (error) {
      broken.push({ seed, what, invariant: name, found: error.message });
      process.stderr.write(`✗ seed ${seed}, ${what}: ${name}: ${error.message}\n`);
    }
  }
}

/** A run with its fault. */
async function recorded(seed, random) {
  const name = pick(random, Object.keys(faults));
  const fault = faults[name];
  counts.faults[name] = (counts.faults[name] ?? 0) + 1;
  seeds.push(seed);
  const notes = join(base, `notes-${seed}`);
  const earlier = [...known].filter((id) => !deleted.has(id));
  const resume = chance(random, 0.15) && earlier.length > 0 ? ["--resume", pick(random, earlier)] : [];
  const args = ["run", "--agent", "claude", "--binary", AGENT, "--prompt", "Go.", "--cwd", store.workspace, "--tag", `seed-${seed}`];
  args.push(
    "--timeout",
    "10s",
    "--grace",
    "1s",
    "--after-result",
    "2s",
    "--secret",
    "CAMPAIGN_CANARY",
    "--view",
    pick(random, VIEWS),
    ...resume,
  );
  const run = start(args, { CAMPAIGN_SEED: String(seed), CAMPAIGN_NOTES: notes, CAMPAIGN_CANARY: canary(seed) }, fault);
  const delay = upTo(random, 12);
  if (fault.act !== undefined) {
    await Promise.race([pause(delay), run.done]);
    await fault.act(run, random);
  }
  return { ...(await run.done), args, seed, name, fault, notes, sent: fault.sent, isOutOfMemory: name === "memory limited" };
}

/** Another command over the same store, at some moment. */
async function disturbed(random) {
  await pause(upTo(random, 12));
  const ids = [...manifests()].map(([id]) => id);
  const target = chance(random, 0.5) || ids.length === 0 ? "last" : pick(random, ids);
  const name = pick(random, ["runs", "show", "derive", "verify", "prune", "rm", "bundle", "view", "graph"]);
  counts.commands[name] = (counts.commands[name] ?? 0) + 1;
  if (name === "view") return served(random);
  const args = {
    runs: ["runs", "--json"],
    show: ["runs", "show", target],
    derive: ["derive", target, "--view", pick(random, VIEWS)],
    verify: ["verify", target],
    prune: ["runs", "prune", "--keep", String(5 + (random() % 20))],
    rm: ["runs", "rm", target],
    bundle: ["bundle", target, "--out", join(base, `bundle-${random()}`)],
    graph: ["graph", target],
  }[name];
  const done = await finished(args);
  if (name === "prune" || name === "rm") for (const [id] of done.stdout.matchAll(/\d{8}-\d{6}-\w{6}/g)) deleted.add(id);
  return done;
}

/** The page, asked once and stopped. */
async function served(random) {
  const args = ["view", "--no-open", "--port", "0"];
  const server = start(args);
  await Promise.race([server.printed, server.done, pause(LONGEST_MS, undefined, { ref: false })]);
  await pause(random() % 500);
  server.child.kill("SIGTERM");
  return { ...(await server.done), args };
}

async function finished(args) {
  return { ...(await start(args).done), args };
}

function start(args, env = {}, { limits, node = [] } = {}) {
  const command = [process.execPath, ...node, BIN, ...args];
  const line = `${limits ?? ":"}; exec "$0" "$@"`;
  const { NO_COLOR: _1, FORCE_COLOR: _2, NODE_OPTIONS: _3, ...rest } = process.env;
  const child = spawn("bash", ["-c", line, ...command], {
    cwd: store.workspace,
    env: { ...rest, XDG_DATA_HOME: base, XDG_CONFIG_HOME: join(base, "config"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LONGEST_MS,
    killSignal: "SIGKILL",
  });
  const said = { stdout: [], stderr: [] };
  let seen;
  const printed = new Promise((resolve) => {
    seen = resolve;
  });
  for (const name of ["stdout", "stderr"]) {
    child[name].on("data", (chunk) => {
      said[name].push(chunk);
      if (name === "stdout") seen();
    });
  }
  const done = new Promise((resolve) => {
    const text = (name) => Buffer.concat(said[name]).toString();
    child.on("close", (code, signal) => resolve({ code, signal, stdout: text("stdout"), stderr: text("stderr") }));
  });
  return { child, pid: child.pid, printed, done };
}

function* manifests() {
  if (!existsSync(store.runs)) return;
  for (const id of readdirSync(store.runs)) {
    if (id.startsWith(".")) continue; // being created or deleted
    const path = join(store.runs, id, "run.json");
    let text;
    try {
      text = readFileSync(path, "utf8");
    } catch {
      continue; // deleted meanwhile
    }
    yield [id, JSON.parse(text)];
  }
}
