import { points, printable, probability } from "../../src/pure/base/index.ts";
import type { ResultPair } from "../../src/pure/timeline/index.ts";

export function Differences({ pairs }: { readonly pairs: readonly ResultPair[] }) {
  if (pairs.length === 0) return null;
  return (
    <section class="differences">
      <h2>Differences</h2>
      <ul>
        {pairs.map((pair) => (
          <li key={`${pair.a}\n${pair.b}`}>
            <p>
              <strong>{printable(pair.b)}</strong> against {printable(pair.a)}:{" "}
              <span class={`status ${tones[pair.verdict] ?? "none"}`}>{pair.verdict}</span>
            </p>
            <p class="muted small">
              {points(pair.difference)}
              {pair.interval !== null && ` (${points(pair.interval.low)} to ${points(pair.interval.high)})`}
              {pair.pAdjusted !== null && `, p ${probability(pair.pAdjusted)}`}; {pair.wins} cases won, {pair.losses} lost, {pair.ties}{" "}
              even, of {pair.pairs} pairs
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const tones: Readonly<Record<string, string>> = { better: "good", worse: "bad" };
