import { join } from "node:path";
import { priceOf } from "../../host/prices/index.ts";
import { dataOf, manifestIn, type RunManifest, runIds, runPaths } from "../../host/recording/index.ts";
import { wordOf } from "../../pure/base/index.ts";
import { addTokens, anyTokens, noTokens, type Tokens } from "../../pure/events/index.ts";

export type Grouping = "day" | "week" | "month" | "model" | "agent" | "project" | "session";

export interface UsageOptions {
  /** Default: `day`. */
  readonly by?: Grouping;
  /** Only runs that started at or after this time, in epoch milliseconds. */
  readonly since?: number;
  readonly agent?: string;
  /** Only runs in this directory, or in one below it. */
  readonly project?: string;
  readonly dataDirectory?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** What runs used together. A number that no run reports is null; zero is a report. */
export interface UsageRow {
  /** The day, model, agent …; null if it is not known. */
  readonly key: string | null;
  readonly runs: number;
  readonly tokens: Tokens;
  /** What agents reported, and what the others cost by a table of prices. */
  readonly costUsd: number | null;
  readonly reportedUsd: number | null;
  readonly pricedUsd: number | null;
  /** Runs that used tokens at a price that is not known. */
  readonly unpriced: number;
  /** Runs that report only a part of what they used: the numbers are a lower bound. */
  readonly partial: number;
  readonly durationMs: number | null;
  readonly toolCalls: number;
}

/**
 * Adds up what recorded runs and imported sessions used. A session counts once: of its generations the newest, and of the runs we recorded only those
 * that the import of their session does not hold.
 */
export async function usageBy(options: UsageOptions = {}): Promise<readonly UsageRow[]> {
  const { by = "day", since = Number.NEGATIVE_INFINITY, agent, project, environment = process.env } = options;
  const data = dataOf(options);
  const all = runIds(data).flatMap((id) => manifestIn(runPaths(join(data.runs, id)).manifest) ?? []);
  const counted = onceEach(all).filter(
    (run) => run.startedAt >= since && (agent ?? run.agent) === run.agent && (project === undefined || isBelow(run.cwd, project)),
  );
  const rows = new Map<string | null, UsageRow>();
  for (const run of counted) {
    const key = keyOf(run, by);
    rows.set(key, add(rows.get(key) ?? { key, ...EMPTY }, run, await costOf(run, environment)));
  }
  return [...rows.values()].sort((a, b) => order(a, b, by));
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}

const EMPTY = {
  runs: 0,
  tokens: noTokens,
  costUsd: null,
  reportedUsd: null,
  pricedUsd: null,
  unpriced: 0,
  partial: 0,
  durationMs: null,
  toolCalls: 0,
};

interface Cost {
  readonly reported?: number;
  readonly priced?: number;
}

/** The agent's own figure, or the price of its tokens on the day of the run. */
async function costOf({ sealed, startedAt, model }: RunManifest, env: NodeJS.ProcessEnv): Promise<Cost> {
  const reported = sealed?.partialCost?.costUsd ?? sealed?.costUsd;
  if (reported !== undefined && reported !== null) return { reported };
  const used = sealed?.model ?? model;
  const tokens = tokensOf(sealed);
  if (used === undefined || used === null || !anyTokens(tokens)) return {};
  const price = await priceOf(tokens, { model: used, at: startedAt, env });
  return price === undefined ? {} : { priced: price.costUsd };
}

function tokensOf(sealed: RunManifest["sealed"]): Tokens {
  return sealed?.partialUsage?.tokens ?? sealed?.usage ?? noTokens;
}

function add(row: UsageRow, { sealed }: RunManifest, { reported, priced }: Cost): UsageRow {
  const tokens = tokensOf(sealed);
  return {
    key: row.key,
    runs: row.runs + 1,
    tokens: addTokens(row.tokens, tokens),
    costUsd: sum(row.costUsd, reported ?? priced),
    reportedUsd: sum(row.reportedUsd, reported),
    pricedUsd: sum(row.pricedUsd, priced),
    unpriced: row.unpriced + (reported === undefined && priced === undefined && anyTokens(tokens) ? 1 : 0),
    partial: row.partial + (sealed === undefined || sealed.partialUsage !== undefined ? 1 : 0),
    durationMs: sum(row.durationMs, sealed?.durationMs ?? undefined),
    toolCalls: row.toolCalls + (sealed?.toolCalls ?? 0),
  };
}

function sum(a: number | null, b: number | undefined): number | null {
  return b === undefined ? a : (a ?? 0) + b;
}

/** Times are grouped by the clock of this machine, as people count days. */
function keyOf(run: RunManifest, by: Grouping): string | null {
  switch (by) {
    case "day":
      return dayOf(new Date(run.startedAt));
    case "week":
      return weekOf(new Date(run.startedAt));
    case "month":
      return dayOf(new Date(run.startedAt)).slice(0, 7);
    case "model":
      return run.sealed?.model ?? run.model ?? null;
    case "agent":
      return run.agent;
    case "project":
      return run.cwd;
    case "session":
      return wordOf(run.origin?.about?.["session"]) ?? run.sealed?.sessionId ?? run.id;
  }
}

function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The Monday that begins the week. */
function weekOf(date: Date): string {
  return dayOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7)));
}

/** Times in their order, everything else by cost and then by tokens, the largest first. */
function order(a: UsageRow, b: UsageRow, by: Grouping): number {
  if (by === "day" || by === "week" || by === "month") return (a.key ?? "") < (b.key ?? "") ? -1 : 1;
  return (b.costUsd ?? 0) - (a.costUsd ?? 0) || (b.tokens.output ?? 0) - (a.tokens.output ?? 0) || ((a.key ?? "") < (b.key ?? "") ? -1 : 1);
}

/** Leaves out earlier generations of an imported session, and our own runs that an imported session holds. */
function onceEach(runs: readonly RunManifest[]): readonly RunManifest[] {
  const replaced = new Set(runs.flatMap(({ origin }) => [wordOf(origin?.about?.["extends"]), wordOf(origin?.about?.["replaces"])]));
  const imports = new Map<string, number>(); // until when each session was imported
  for (const { agent, origin, sealed, startedAt, id } of runs) {
    const session = wordOf(origin?.about?.["session"]);
    if (session !== undefined && !replaced.has(id)) imports.set(`${agent} ${session}`, startedAt + (sealed?.durationMs ?? 0));
  }
  return runs.filter(({ id, agent, origin, sealed, startedAt }) => {
    if (replaced.has(id)) return false;
    if (wordOf(origin?.about?.["session"]) !== undefined || sealed?.sessionId === undefined || sealed.sessionId === null) return true;
    return startedAt > (imports.get(`${agent} ${sealed.sessionId}`) ?? Number.NEGATIVE_INFINITY);
  });
}
