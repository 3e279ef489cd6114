import { compact, dollars, duration, percent, percentRange, printable } from "../../src/pure/base/index.ts";
import { atLeast } from "../../src/pure/events/index.ts";
import type { ResultSide } from "../../src/pure/timeline/index.ts";

/** Pass rates with intervals. Grader errors and lost trials are counted separately. */
export function Rates({ sides }: { readonly sides: readonly ResultSide[] }) {
  return (
    <section class="rates">
      <h2>Pass rates</h2>
      <ul>
        {sides.map((side) => (
          <li key={side.label}>
            <p class="line">
              <strong>{printable(side.label)}</strong>
              <span class="rate">{percent(side.passRate)}</span>
              <span class="muted small">{percentRange(side.passRateInterval)}</span>
            </p>
            <Bar side={side} />
            <p class="muted small facts-line">
              <span>
                {compact(side.graded)} of {compact(side.trials)} trials graded, {compact(side.cases)} cases
              </span>
              <span class={side.nError > 0 ? "bad-words" : ""}>{compact(side.nError)} grader errors</span>
              <span class={side.nInfrastructure > 0 ? "warn-words" : ""}>{compact(side.nInfrastructure)} lost</span>
              <span>{atLeast(dollars(side.costUsd), side.partialCost === true)}</span>
              <span>half within {duration(side.latencyMs.p50)}</span>
            </p>
          </li>
        ))}
      </ul>
      <p class="muted small rates-note">
        The line is the 95 % interval. Grader errors and trials lost to the provider or to a limit do not count as failures and are not in
        the rate.
      </p>
    </section>
  );
}

function Bar({ side: { passRate, passRateInterval: range } }: { readonly side: ResultSide }) {
  const at = (part: number) => `${(part * 100).toFixed(2)}%`;
  return (
    <div class="rate-bar" role="img" aria-label={`${percent(passRate)} ${percentRange(range)}`}>
      {range !== null && <span class="whisker" style={{ left: at(range.low), width: at(range.high - range.low) }} />}
      {passRate !== null && <span class="point" style={{ left: at(passRate) }} />}
    </div>
  );
}
