import type { ComponentChildren } from "preact";
import { clockTime, whole } from "../../src/pure/base/index.ts";
import type { Lane } from "../../src/pure/timeline/index.ts";
import { hrefOf } from "../router.ts";
import type { PageEvent } from "../source/index.ts";
import { EventBodyView } from "./event-body.tsx";
import { laneLabel } from "./lanes.ts";
import { ToolCard } from "./tool-card.tsx";

interface Props {
  readonly run: string;
  readonly seq: number;
  readonly kind: string;
  readonly ms: number;
  readonly event: PageEvent | undefined;
  readonly end: PageEvent | undefined;
  readonly hasEnd: boolean;
  readonly lane: Lane | undefined;
  readonly depth: number;
  readonly subagent: string;
  readonly prompt: string | undefined;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  readonly isHit: boolean;
  readonly position: number;
  readonly count: number;
  readonly select: () => void;
  readonly toggle: () => void;
  readonly whole: (seq: number) => void;
  readonly inspect: () => void;
}

export function EventCard(props: Props) {
  const { run, seq, kind, ms, event, end, lane, depth, isSelected, isHit, position, count, select } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself answers to keys
    <article
      id={`event-${seq}`}
      class={`event is-${kind}${isSelected ? " selected" : ""}${isHit ? " hit" : ""}${depth > 0 ? " nested" : ""}`}
      data-depth={Math.min(depth, 4)}
      data-lane={(lane?.id === null ? 0 : hueOf(lane?.id ?? "")) % 6}
      aria-posinset={position + 1}
      aria-setsize={count}
      aria-label={`${kind} ${seq}`}
      onClick={select}
    >
      <div class="when-and-raw">
        <a class="at mono" href={hrefOf("runs", run, seq)} title={`Event ${seq}: copy this link to lead here`}>
          {clockTime(ms)}
        </a>
        {isSelected && (
          <button type="button" class="link raw" onClick={props.inspect}>
            raw
          </button>
        )}
      </div>
      <div class="body">
        {depth > 0 && <span class="lane">{laneLabel(lane)}</span>}
        {event === undefined ? (
          <p class="skeleton" />
        ) : event.type === "tool-start" ? (
          <ToolCard
            start={event}
            end={end?.type === "tool-end" ? end : undefined}
            hasEnd={props.hasEnd}
            isOpen={props.isOpen}
            toggle={props.toggle}
          />
        ) : (
          <EventBodyView event={event} subagent={props.subagent} prompt={props.prompt} isOpen={props.isOpen} toggle={props.toggle} />
        )}
        {event?.clipped !== undefined && <Cut bytes={event.clipped} load={() => props.whole(seq)} />}
        {end?.clipped !== undefined && <Cut bytes={end.clipped} load={() => props.whole(end.seq)} />}
      </div>
    </article>
  );
}

function Cut({ bytes, load }: { readonly bytes: number; readonly load: () => void }): ComponentChildren {
  return (
    <button type="button" class="link" onClick={load}>
      Long texts are cut here; load all {whole(bytes)} bytes
    </button>
  );
}

function hueOf(text: string): number {
  let sum = 1;
  for (let i = 0; i < Math.min(text.length, 64); i++) sum = (sum * 31 + text.charCodeAt(i)) % 997;
  return 1 + (sum % 5);
}
