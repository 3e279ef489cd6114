// Lets one agent try all six effects at one level of permissions, and looks at what is there afterwards.
import { join } from "node:path";
import { serveHttp } from "../../../host/listen/index.ts";
import { scripted, writeFile } from "../../../host/sink/index.ts";
import { parseJsonLines } from "../../../pure/base/index.ts";
import type { LogRecord } from "../../../pure/events/index.ts";
import { runDefaults } from "../corpus-scenario.ts";
import type { Cli } from "../find-cli.ts";
import { leftovers } from "../leftovers.ts";
import type { Pin } from "../pin.ts";
import { harness, optionsOf } from "../run-agent.ts";
import { furnish, sandbox } from "../sandbox.ts";
import { scriptedModel } from "../scripted-model.ts";
import type { Self } from "../self.ts";
import { settled } from "../settled.ts";
import { type Effect, effects, files, hasHappened, MARKER, scriptOf } from "./effects.ts";
import { type Level, levelParts } from "./levels.ts";
import type { Row } from "./row.ts";

export interface Trying {
  readonly id: string;
  readonly pin: Pin;
  readonly cli: Cli;
  readonly level: Level;
  /** The tools that it has: what a level withholds is tried all the same, by its own name. */
  readonly tools: readonly string[];
  readonly self: Self;
  readonly signal: AbortSignal;
}

/** Some agents stop at the first denial. They are started again with the effects that are left. */
export async function tryLevel(trying: Trying): Promise<Row> {
  const { id, cli, level } = trying;
  const row = { agent: id, label: cli.label, level };
  const tried: { -readonly [Name in Effect]?: boolean } = {};
  const status = new Set<string>();
  const warnings = new Set<string>();
  const tools = new Set<string>();
  let left: readonly Effect[] = effects;
  while (left.length > 0) {
    const one = await tryOnce(trying, left);
    if ("rejected" in one) return { ...row, rejected: one.rejected };
    for (const [effect, happened] of one.tried) tried[effect] = happened;
    status.add(one.status);
    for (const code of one.warnings) warnings.add(code);
    for (const name of one.tools) tools.add(name);
    left = left.filter((effect) => !one.tried.has(effect));
  }
  const seen = { did: tried as Readonly<Record<Effect, boolean>>, status: [...status].sort(), warnings: [...warnings].sort() };
  return { ...row, ...seen, ...(level === "full" && { tools: [...tools].sort() }) };
}

interface Once {
  readonly tried: ReadonlyMap<Effect, boolean>;
  readonly status: string;
  readonly warnings: readonly string[];
  readonly tools: readonly string[];
}

async function tryOnce(
  { id, pin, cli, level, tools, self, signal }: Trying,
  wanted: readonly Effect[],
): Promise<Once | { readonly rejected: string }> {
  const place = sandbox(files, cli.path);
  const page = await pageServer();
  const inside = pin.inside ?? id;
  const script = scriptOf(wanted, page.url, inside);
  const scenario = join(place.folder, "scenario.json");
  writeFile(scenario, scripted(JSON.stringify(script.scenario)));
  const model = await scriptedModel(scenario, tools);
  const mcpLog = join(place.folder, "mcp.log");
  try {
    const agent = settled(pin, model.url, [self.mcpServer, mcpLog]);
    furnish(place.home, { ...agent.files, ...(inside === "claude" && { ".claude/settings.json": { skipWebFetchPreflight: true } }) });
    const { permissions, options } = levelParts[level];
    const asked = { ...runDefaults, prompt: `Do what the script says. [[${MARKER}]]`, files, permissions, options, env: NO_PROXY };
    const run = { id: pin.agent ?? id, agent, binary: cli.binary, asked, place, cli: self.cli, signal };
    const ended = await harness(run, ["run", "--agent", run.id, "--binary", run.binary, "--view", "log", ...optionsOf(run)]);
    if (ended.code === 2) return { rejected: ended.stderr.trim() };
    const served = (await model.close()).filter(({ kind }) => kind === "main");
    const last = Math.max(-1, ...served.map(({ turn }) => turn ?? -1));
    const evidence = { workspace: place.workspace, mcpLog, connections: page.connections };
    const tried = wanted.filter((effect) => (script.turnOf.get(effect) ?? 0) <= last);
    if (tried.length === 0) throw new Error(`${id}, ${level}: the model was not asked for ${wanted[0]}. ${ended.stderr.trim()}`);
    const log = parseJsonLines<LogRecord>(ended.stdout);
    return {
      tried: new Map(tried.map((effect) => [effect, hasHappened(effect, evidence)])),
      status: statusOf(log),
      tools: served.flatMap((entry) => entry.tools),
      warnings: log.flatMap((record) => (record.type === "warning" && record.code !== undefined ? [record.code] : [])),
    };
  } finally {
    await model.close();
    await page.close();
    leftovers(place.folder);
    place.remove();
  }
}

/** The page is on this machine. */
const NO_PROXY = { NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1" };

function statusOf(log: readonly LogRecord[]): string {
  const end = log.findLast((record) => record.type === "run-end");
  return end?.status ?? "unknown";
}

/** Counts connections, not requests: a client that insists on TLS has left the machine too. */
export async function pageServer(): Promise<{
  readonly url: string;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}> {
  let connections = 0;
  const { url, close } = await serveHttp({
    answer: (_, response) => response.end("A page.\n"),
    refuse: (response, { status, message }) => response.writeHead(status).end(message),
    methods: ["GET", "HEAD"],
    mostBytes: 0,
    port: 0,
    mostConnections: 64,
    mostRequests: 64,
    onConnection: () => connections++,
  });
  return { url: `${url}/`, connections: () => connections, close };
}
