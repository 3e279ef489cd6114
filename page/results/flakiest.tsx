import type { ResultRow, ResultSide } from "../../src/pure/timeline/index.ts";
import { hrefOf } from "../router.ts";
import { Cell, caseName } from "./matrix.tsx";

/** The cases whose trials disagree most. */
export function Flakiest({ rows, sides }: { readonly rows: readonly ResultRow[]; readonly sides: readonly ResultSide[] }) {
  return (
    <section class="flakiest" style={{ "--sides": String(sides.length) }}>
      <h2>Flakiest cases</h2>
      {rows.length === 0 ? (
        <p class="muted small">No trials disagree. With one trial per case they cannot.</p>
      ) : (
        rows.map((row) => (
          <div key={row.key} class="matrix-row">
            <a class="case" href={hrefOf("results", row.key)}>
              {caseName(row.id)}
            </a>
            {row.cells.map((cell, i) => (
              <Cell key={i} cell={cell} side={sides[i]?.label ?? ""} href={hrefOf("results", row.key, i)} />
            ))}
          </div>
        ))
      )}
    </section>
  );
}
