import { useEffect, useMemo, useState } from "preact/hooks";
import { counted, whole } from "../../src/pure/base/index.ts";
import { VirtualList } from "../list/index.ts";
import { Failure, Notice } from "../parts/index.ts";
import { hrefOf } from "../router.ts";
import { emptyFilter, facets, matches, RunFilters, RunItem, useInside } from "../runs/index.ts";
import { followRuns, type RunsState } from "../source/index.ts";
import type { Screen } from "./screen.ts";

export const runsScreen: Screen = { id: "runs", title: "Runs", Component: Runs };

function Runs() {
  const [state, setState] = useState<RunsState>();
  const [error, setError] = useState<unknown>();
  const [isConnected, setConnected] = useState(true);
  const [filter, setFilter] = useState(emptyFilter);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  useEffect(
    () =>
      followRuns(
        (next) => {
          setError(undefined);
          setState(next);
        },
        setError,
        setConnected,
      ),
    [],
  );
  const all = state?.rows ?? [];
  const live = all.filter(({ status }) => status === "running").length;
  const now = useNow(live > 0 ? 1000 : 15_000);
  const inside = useInside();
  const rows = useMemo(
    () => all.filter((row) => matches(row, filter, now) && (inside.text === "" || inside.ids.has(row.id))),
    [all, filter, now, inside.text, inside.ids],
  );
  if (error !== undefined && state === undefined) return <Failure error={error} />;
  if (state === undefined) return <p class="waiting">Reading the runs …</p>;
  if (all.length === 0 && !state.loading) {
    return (
      <Notice title="No runs yet" code={'harness run --agent claude --prompt "…"\nharness demo'}>
        Runs appear here when they start. They are kept in {state.directory}. Start one, or run the demo:
      </Notice>
    );
  }
  const toggle = (id: string) => {
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  };
  const showAll = () => {
    setFilter(emptyFilter);
    inside.look("", "all");
  };
  return (
    <div class="runs">
      <div class="head">
        <h1>Runs</h1>
        <p class="muted" aria-live="polite">
          {rows.length === all.length ? counted(all.length, "run") : `${whole(rows.length)} of ${counted(all.length, "run")}`}
          {live > 0 && <span class="status live">{live} running</span>}
          {!isConnected && <span class="status warn">the server does not answer; waiting</span>}
        </p>
      </div>
      <RunFilters filter={filter} facets={facets(all)} change={setFilter} inside={inside} />
      {rows.length === 0 ? (
        <Notice
          title={inside.isLooking ? "Searching inside the runs …" : "No matching run"}
          next={{ label: "Show all runs", act: showAll }}
        >
          {counted(all.length, "run")} {inside.isLooking ? "are" : "were"} looked at.
        </Notice>
      ) : (
        <VirtualList
          label="Runs"
          class="run-list"
          count={rows.length}
          keyOf={(i) => rows[i]?.id ?? i}
          estimate={() => 84}
          item={(i) => {
            const row = rows[i];
            return row && <RunItem row={row} now={now} isChosen={chosen.includes(row.id)} choose={() => toggle(row.id)} />;
          }}
        />
      )}
      {chosen.length > 0 && (
        <p class="chosen">
          {counted(chosen.length, "run")} chosen
          {chosen.length > 1 && (
            <a class="button" href={hrefOf("compare", ...chosen)}>
              Compare
            </a>
          )}
          <button type="button" class="link" onClick={() => setChosen([])}>
            none
          </button>
        </p>
      )}
    </div>
  );
}

/** The current time, updated so that “3 min ago” becomes 4. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
