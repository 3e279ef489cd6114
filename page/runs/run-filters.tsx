import { useState } from "preact/hooks";
import { printable } from "../../src/pure/base/index.ts";
import type { RunRow } from "../../src/pure/pipeline/index.ts";
import { type Inside, type Place, places } from "./use-inside.ts";

export interface RunFilter {
  readonly text: string;
  readonly agent: string;
  readonly model: string;
  readonly status: string;
  readonly tag: string;
  /** At most this many days old; 0 for any age. */
  readonly days: number;
}

export const emptyFilter: RunFilter = { text: "", agent: "", model: "", status: "", tag: "", days: 0 };

const DAY_MS = 86_400_000;

export function matches(row: RunRow, { text, agent, model, status, tag, days }: RunFilter, now: number): boolean {
  if (agent !== "" && row.agent !== agent) return false;
  if (model !== "" && row.model !== model) return false;
  if (status !== "" && (row.status ?? "unknown") !== status) return false;
  if (tag !== "" && !row.tags.includes(tag)) return false;
  if (days > 0 && (row.startedAt ?? 0) < now - days * DAY_MS) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const { id, name, prompt, cwd, sessionId, evaluated } = row;
  const day = row.startedAt === null ? "" : dayOf(row.startedAt);
  const all = [id, name, prompt, cwd, sessionId, evaluated?.id, row.agent, row.model, day, ...row.tags].join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}

/** The local date as `2026-11-15`. */
function dayOf(at: number): string {
  const day = new Date(at);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The values to choose from, most frequent first. */
export function facets(rows: readonly RunRow[]) {
  const of = (values: (row: RunRow) => readonly (string | null)[]) => {
    const counts = new Map<string, number>();
    for (const row of rows) for (const value of values(row)) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]);
  };
  return {
    agent: of(({ agent }) => [agent]),
    model: of(({ model }) => [model]),
    status: of(({ status }) => [status ?? "unknown"]),
    tag: of(({ tags }) => tags),
  };
}

interface Props {
  readonly filter: RunFilter;
  readonly facets: ReturnType<typeof facets>;
  readonly change: (filter: RunFilter) => void;
  readonly inside: Inside;
}

export function RunFilters({ filter, facets, change, inside }: Props) {
  const [place, setPlace] = useState<Place>("all");
  const look = () => {
    if (filter.text.trim() === "") return;
    inside.look(filter.text.trim(), place);
    change({ ...filter, text: "" });
  };
  return (
    <search class="filters">
      <input
        type="search"
        id="search"
        placeholder="Search prompts, names, tags, folders, dates"
        aria-label="Search the runs"
        value={filter.text}
        onInput={(event) => change({ ...filter, text: event.currentTarget.value })}
        onKeyDown={(event) => event.key === "Enter" && look()}
      />
      {filter.text.trim() !== "" && (
        <span class="inside">
          <select aria-label="Search in" value={place} onChange={(event) => setPlace(event.currentTarget.value as Place)}>
            {Object.entries(places).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
          <button type="button" class="button" onClick={look}>
            Search inside the runs
          </button>
        </span>
      )}
      {inside.text !== "" && (
        <button
          type="button"
          class="chip"
          aria-pressed="true"
          aria-label={`Clear the search for ${inside.text}`}
          onClick={() => inside.look("", "all")}
        >
          {inside.place === "all" ? "inside" : inside.place}: {printable(inside.text.slice(0, 40))} {inside.isLooking ? "…" : "✕"}
        </button>
      )}
      <div class="facets">
        {(["agent", "model", "status", "tag"] as const).map((key) =>
          facets[key].length === 0 ? null : (
            <select
              key={key}
              aria-label={`Only with this ${key}`}
              class={filter[key] === "" ? "" : "set"}
              value={filter[key]}
              onChange={(event) => change({ ...filter, [key]: event.currentTarget.value })}
            >
              <option value="">any {key}</option>
              {facets[key].map(([value, count]) => (
                <option key={value} value={value}>
                  {value.replace("_", " ")} ({count})
                </option>
              ))}
            </select>
          ),
        )}
        <select
          aria-label="Age"
          class={filter.days === 0 ? "" : "set"}
          value={String(filter.days)}
          onChange={(event) => change({ ...filter, days: Number(event.currentTarget.value) })}
        >
          <option value="0">any time</option>
          <option value="1">last day</option>
          <option value="7">last week</option>
          <option value="30">last month</option>
        </select>
      </div>
    </search>
  );
}
