import { compact, dollars, duration, notes, printable, share, whole } from "../../src/pure/base/index.ts";
import { atLeast, coverageNote, type PartialUsage, shortCost, shortTokens, totalTokens } from "../../src/pure/events/index.ts";
import type { RunRow } from "../../src/pure/pipeline/index.ts";
import type { UsagePoint } from "../../src/pure/timeline/index.ts";
import { moment, Status } from "../parts/index.ts";
import { useUsage } from "../plots/index.ts";
import { hrefOf } from "../router.ts";
import type { RunSource } from "../source/index.ts";
import type { TimelineState } from "../timeline/index.ts";

export function RunHead({ source, state }: { readonly source: RunSource; readonly state: TimelineState }) {
  const { row, part } = state.page;
  const isLive = row.status === "running";
  const used = useUsage(source, isLive)?.at(-1);
  const title = (row.name ?? row.prompt?.split("\n").find((line) => line.trim() !== "") ?? row.id).trim();
  const last = state.columns.ms[state.count - 1] ?? 0;
  const facts: readonly (readonly [string, string, string?])[] = [
    ["agent", row.agent ?? "unknown"],
    ["model", row.model ?? "–"],
    ["took", duration(row.durationMs ?? (state.log.done ? null : last))],
    ["tokens", tokensOf(row, used), notes("input, output and cache together", partOf(row.partialUsage) ?? used?.tokensPart ?? "")],
    ["cost", costOf(row, used), notes("as the agent reports it", partOf(row.partialCost) ?? used?.costPart ?? "")],
    ["calls", compact(row.toolCalls ?? (isLive ? state.columns.calls : null))],
    ["events", compact(Math.max(state.log.count, row.events ?? 0))],
    ["unread", share(row.unknown, row.events), "share of events that could not be read"],
  ];
  return (
    <header class="run-head">
      <div class="line">
        <Status status={row.status} />
        {!state.isConnected && <span class="status warn">the server does not answer; waiting</span>}
        {isLive && state.isConnected && <span class="muted small">updates by itself</span>}
      </div>
      <h1>{printable(title)}</h1>
      <dl class="facts">
        {facts.map(([name, value, hint]) => (
          <div key={name} title={hint}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {row.status === "unfinished" && (
        <p class="problem warning">
          The recorder was killed before the run ended. This is what was recorded; <code>harness runs show {row.id}</code> completes and
          seals it.
        </p>
      )}
      {part !== undefined && (
        <p class="problem warning">
          This file holds the events {whole(part.first)} to {whole(part.last)}
          {part.of !== null && ` of ${whole(part.of)}`} of the run.
        </p>
      )}
      <p class="muted small">
        {row.startedAt !== null && moment(row.startedAt)} · <span class="mono">{row.id}</span>
        {row.resumes !== null && (
          <>
            {" · resumes "}
            <a href={hrefOf("runs", row.resumes)}>{row.resumes}</a>
          </>
        )}
      </p>
    </header>
  );
}

/** A live run has no sealed figures yet. `≥`: they are those of a part of the run. */
function tokensOf({ usage, partialUsage }: RunRow, used: UsagePoint | undefined): string {
  if (partialUsage !== undefined || totalTokens(usage) !== null || used === undefined) return shortTokens(usage, partialUsage);
  return atLeast(compact(used.tokens), used.tokensPart !== undefined);
}

function costOf({ costUsd, partialCost }: RunRow, used: UsagePoint | undefined): string {
  return shortCost(costUsd, partialCost) ?? atLeast(dollars(used?.cost ?? null), used?.costPart !== undefined);
}

function partOf(partial: Pick<PartialUsage, "covers" | "complete"> | undefined): string | undefined {
  return partial && coverageNote(partial);
}
