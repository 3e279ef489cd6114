import { join } from "node:path";
import { damagedRow, rowOfRun, runIds } from "../../../host/recording/index.ts";
import { findAgent, knownAgent } from "../../../pure/agents/index.ts";
import { clip, duration, HarnessError } from "../../../pure/base/index.ts";
import { shortCost } from "../../../pure/events/index.ts";
import type { RunRow } from "../../../pure/pipeline/index.ts";
import { inTerminal, printTable, say, writeJson } from "../../terminal/index.ts";
import { listedRun } from "../../tui/index.ts";
import { openAndReport, ourData } from "../options/index.ts";

interface Flags {
  readonly agent?: string;
  readonly status?: string;
  readonly tag?: string;
  readonly limit?: number;
  readonly json?: true;
}

const LONGEST_TASK = 60;

/** Runs are opened and printed one by one, so that a pipe into `head` opens only the runs it shows. */
export async function listRuns({ agent, status, tag, limit = Number.POSITIVE_INFINITY, json }: Flags): Promise<void> {
  const wanted = agent === undefined ? undefined : (knownAgent(agent)?.id ?? agent);
  const readable = inTerminal() && json !== true;
  const rows: RunRow[] = [];
  let count = 0;
  for (const id of runIds(ourData())) {
    if (count >= limit) break;
    const row = await runRow(id);
    if ((wanted ?? row.agent) !== row.agent || (status ?? row.status) !== row.status || !(tag === undefined || row.tags.includes(tag)))
      continue;
    count++;
    if (readable) rows.push(row);
    else await writeJson([listedRun(row)]);
  }
  const isResumed = rows.some(({ resumes }) => resumes !== null);
  if (readable && count > 0)
    await printTable(
      rows.map((row) => shown(row, isResumed)),
      { optional: ["started", "resumes", "cost"], clipped: true },
    );
  if (count === 0 && wanted !== undefined) findAgent(wanted); // an agent that does not exist is a mistake
  if (count === 0) say(`no ${(agent ?? status ?? tag) ? "matching " : ""}run in ${ourData().runs}`);
}

function shown(
  { id, agent, status, startedAt, durationMs, costUsd, partialCost, name, prompt, resumes }: RunRow,
  withChain: boolean,
): Record<string, string | null> {
  const when = startedAt === null ? null : new Date(startedAt).toISOString().slice(0, 16).replace("T", " ");
  const took = durationMs === null ? null : duration(durationMs);
  return {
    id,
    agent,
    status,
    started: when,
    took,
    cost: shortCost(costUsd, partialCost),
    ...(withChain ? { resumes } : {}),
    task: clip([name, prompt].filter(Boolean).join(" · "), LONGEST_TASK),
  };
}

async function runRow(id: string): Promise<RunRow> {
  const directory = join(ourData().runs, id);
  try {
    const { manifest, owner } = await openAndReport(directory);
    return rowOfRun(manifest, directory, owner !== undefined);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return damagedRow(id);
  }
}
