import { resolve } from "node:path";
import { TABLE } from "../../../host/prices/index.ts";
import { knownAgent } from "../../../pure/agents/index.ts";
import { counted, dollars, duration } from "../../../pure/base/index.ts";
import { type Grouping, type UsageRow, usageBy } from "../../../work/history/index.ts";
import { inTerminal, printTable, say, writeJson } from "../../terminal/index.ts";

interface Flags {
  readonly by?: Grouping;
  readonly since?: number;
  readonly agent?: string;
  readonly project?: string;
  readonly json?: true;
}

export async function printUsage({ by = "day", since, agent, project, json }: Flags): Promise<void> {
  const rows = await usageBy({
    by,
    ...(since !== undefined && { since }),
    ...(agent !== undefined && { agent: knownAgent(agent)?.id ?? agent }),
    ...(project !== undefined && { project: resolve(project) }),
  });
  if (!inTerminal() || json === true) return writeJson(rows.map(({ key, ...row }) => ({ by, key, ...row })));
  if (rows.length === 0) return say("no matching run");
  await printTable(
    rows.map((row) => shown(row, by)),
    { optional: ["took", "cache write", "calls"] },
  );
  say(summary(rows));
}

function shown(row: UsageRow, by: Grouping): Record<string, string | null> {
  const { input, cacheRead, cacheWrite, output, reasoning } = row.tokens;
  const written = output === null && reasoning === null ? null : (output ?? 0) + (reasoning ?? 0);
  return {
    [by]: row.key ?? "?",
    runs: String(row.runs),
    input: grouped(input),
    "cache read": grouped(cacheRead),
    "cache write": grouped(cacheWrite),
    output: grouped(written),
    calls: grouped(row.toolCalls),
    took: row.durationMs === null ? null : duration(row.durationMs),
    cost: costIn(row),
  };
}

function grouped(value: number | null): string | null {
  return value === null ? null : String(value).replace(/\B(?=(\d{3})+$)/g, " ");
}

/** `≥` if something is not counted, `~` if a part of it is our own calculation. */
function costIn({ costUsd, pricedUsd, unpriced, partial }: UsageRow): string | null {
  if (costUsd === null) return null;
  return `${unpriced + partial > 0 ? "≥ " : ""}${pricedUsd === null ? "" : "~"}${dollars(costUsd)}`;
}

function summary(rows: readonly UsageRow[]): string {
  const sum = (of: (row: UsageRow) => number | null) => rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  const priced = rows.some(({ pricedUsd }) => pricedUsd !== null) ? `; ~ by the prices of ${TABLE}` : "";
  const unpriced = sum((row) => row.unpriced);
  const partial = sum((row) => row.partial);
  const notes = [
    `${counted(
      sum((row) => row.runs),
      "run",
    )}, ${dollars(sum((row) => row.costUsd))}${priced}`,
    ...(unpriced > 0 ? [`the price of ${counted(unpriced, "run")} is not known; set it with harness prices set`] : []),
    ...(partial > 0 ? [`${counted(partial, "run")} reported only a part`] : []),
  ];
  return notes.join("; ");
}
