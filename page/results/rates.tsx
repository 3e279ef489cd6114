import { compact, dollars, duration, percent, percentRange, printable } from "../../src/pure/base/index.ts";
import { atLeast } from "../../src/pure/events/index.ts";
import type { ResultSide } from "../../src/pure/timeline/index.ts";
import { classWords, isCounted, startAdvice, trialClasses } from "../../src/pure/verdicts/index.ts";

/** Pass rates with intervals, and how many trials ended in each class. */
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
                {compact(side.graded)} of {compact(side.trials)} trials count, {compact(side.cases)} cases
              </span>
              {trialClasses.map((each) => {
                const count = side.classes?.[each] ?? 0;
                return (
                  count > 0 && (
                    <span key={each} class={isCounted(each) ? "" : "warn-words"}>
                      {compact(count)} {classWords[each]}
                    </span>
                  )
                );
              })}
              <span>{atLeast(dollars(side.costUsd), side.partialCost === true)}</span>
              <span>half within {duration(side.latencyMs.p50)}</span>
            </p>
            {side.startProblems?.map((each) => (
              <p key={each} class="small warn-words">
                {startAdvice[each].what}. {startAdvice[each].remedy}
              </p>
            ))}
          </li>
        ))}
      </ul>
      <p class="muted small rates-note">
        The rate is passed / (passed + failed + out of time); the line is its 95 % interval. Trials that never started, were lost or have no
        grade are not in it.
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
