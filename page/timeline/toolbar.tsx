import { compact } from "../../src/pure/base/index.ts";
import { type GroupId, groups, type Shown } from "./groups.ts";
import type { Search } from "./use-search.ts";

interface Props {
  readonly shown: Shown;
  readonly setShown: (shown: Shown) => void;
  readonly counts: Uint32Array;
  readonly search: Search;
  readonly found: number;
  readonly onlyHits: boolean;
  readonly setOnlyHits: (only: boolean) => void;
  readonly jump: (by: 1 | -1) => void;
}

export function Toolbar({ shown, setShown, counts, search, found, onlyHits, setOnlyHits, jump }: Props) {
  const turn = (id: GroupId) => {
    const next = new Set(shown);
    if (!next.delete(id)) next.add(id);
    setShown(next);
  };
  return (
    <search class="toolbar">
      <input
        type="search"
        id="search"
        placeholder="Search everything in this run"
        aria-label="Search the events"
        value={search.text}
        onInput={(event) => search.setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") jump(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {search.text !== "" && (
        <span class="found" aria-live="polite">
          {compact(found)}
          {search.isCut ? " matches or more" : search.isLooking ? " …" : found === 1 ? " match" : " matches"}
          <button type="button" class="quiet" aria-label="Previous match" onClick={() => jump(-1)}>
            ↑
          </button>
          <button type="button" class="quiet" aria-label="Next match" onClick={() => jump(1)}>
            ↓
          </button>
          <label>
            <input type="checkbox" checked={onlyHits} onChange={(event) => setOnlyHits(event.currentTarget.checked)} /> only these
          </label>
        </span>
      )}
      <fieldset class="chips">
        <legend class="hidden">Kinds of events</legend>
        {groups.map(({ id, title }, i) =>
          (counts[i] ?? 0) === 0 ? null : (
            <button key={id} type="button" class={`chip of-${id}`} aria-pressed={shown.has(id)} onClick={() => turn(id)}>
              {title} <span class="number">{compact(counts[i] ?? 0)}</span>
            </button>
          ),
        )}
      </fieldset>
    </search>
  );
}
