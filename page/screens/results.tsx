import { printable } from "../../src/pure/base/index.ts";
import { Failure, Notice } from "../parts/index.ts";
import { Case, CostQuality, Differences, Flakiest, Matrix, Rates, useResults } from "../results/index.ts";
import type { Route } from "../router.ts";
import { AskError } from "../source/index.ts";
import type { Screen } from "./screen.ts";

export const resultsScreen: Screen = { id: "results", title: "Evaluation", Component: Results };

function Results({ route: [, id, side] }: { readonly route: Route }) {
  const { state, error } = useResults();
  if (state === undefined && error instanceof AskError && error.status === 404) {
    return (
      <Notice title="No results are open" code={"harness view trials.jsonl\nharness view before.jsonl after.jsonl"}>
        This screen shows results of capture and trials. Start the page with one file, or with several to compare them:
      </Notice>
    );
  }
  if (state === undefined) return error === undefined ? <p class="waiting">Reading the results …</p> : <Failure error={error} />;
  const { page, rows } = state;
  const labels = page.sides.map(({ label }) => label);
  if (id !== undefined)
    return (
      <Case key={`${id}/${side}`} id={id} version={page.version} labels={labels} side={side === undefined ? undefined : Number(side)} />
    );
  if (rows.length === 0) {
    return (
      <Notice title="No results yet">
        {page.files.map(printable).join(", ")} is empty. As soon as a case is finished it is shown here by itself.
      </Notice>
    );
  }
  return (
    <div class="results">
      <section class="overview scroller" tabIndex={0} aria-label="Overview">
        <h1>Evaluation</h1>
        <p class="muted small">{page.files.map(printable).join(", ")}</p>
        {error !== undefined && (
          <p class="problem error" role="alert">
            {error instanceof Error ? error.message : String(error)} What was read before is shown.
          </p>
        )}
        <Rates sides={page.sides} />
        <Differences pairs={page.pairs} />
        <CostQuality sides={page.sides} />
        <Flakiest rows={page.flakiest} sides={page.sides} />
      </section>
      <Matrix sides={page.sides} rows={rows} />
    </div>
  );
}
