import { compact, dollars, duration, share } from "../../src/pure/base/index.ts";
import { shortCost, shortTokens } from "../../src/pure/events/index.ts";
import type { RunRow } from "../../src/pure/pipeline/index.ts";
import { ago, moment, Status, toneOf } from "../parts/index.ts";
import { hrefOf } from "../router.ts";

interface Props {
  readonly row: RunRow;
  readonly now: number;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

export function RunItem({ row, now, isChosen, choose }: Props) {
  const { id, agent, status, startedAt, model, name, prompt, tags, evaluated } = row;
  const title = (name ?? prompt?.split("\n").find((line) => line.trim() !== "") ?? "").trim();
  const took = row.durationMs ?? (status === "running" && startedAt !== null ? Math.max(0, now - startedAt) : null);
  return (
    <article class={`run-item ${toneOf(status)}`}>
      <input type="checkbox" checked={isChosen} onChange={choose} aria-label={`Choose ${id} for comparison`} />
      <div class="what">
        <a class="title" href={hrefOf("runs", id)}>
          {title === "" ? <span class="muted">no prompt</span> : title}
        </a>
        <p class="muted meta">
          <Status status={status} />
          <span class="agent">{agent ?? "unknown agent"}</span>
          {model !== null && <span>{model}</span>}
          {evaluated !== null && (
            <span>
              case {evaluated.id}
              {evaluated.trial !== null && ` · trial ${evaluated.trial}`}
            </span>
          )}
          {tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
          <span class="mono id">{id}</span>
        </p>
      </div>
      <dl class="figures">
        <Figure name="tokens" value={shortTokens(row.usage, row.partialUsage)} />
        <Figure name="cost" value={shortCost(row.costUsd, row.partialCost) ?? dollars(null)} />
        <Figure name="calls" value={compact(row.toolCalls)} />
        <Figure name="unread" value={share(row.unknown, row.events)} />
        <Figure name="took" value={duration(took)} />
      </dl>
      <time
        class="muted when"
        dateTime={startedAt === null ? undefined : new Date(startedAt).toISOString()}
        title={startedAt === null ? "" : moment(startedAt)}
      >
        {startedAt === null ? "–" : ago(startedAt, now)}
      </time>
    </article>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
