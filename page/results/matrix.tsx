import { useMemo, useState } from "preact/hooks";
import { counted, printable, whole } from "../../src/pure/base/index.ts";
import type { ResultCell, ResultRow, ResultSide } from "../../src/pure/timeline/index.ts";
import { classWords, type TrialClass, trialClasses } from "../../src/pure/verdicts/index.ts";
import { VirtualList } from "../list/index.ts";
import { Notice } from "../parts/index.ts";
import { hrefOf } from "../router.ts";
import { rateOf, selections, total } from "./selections.ts";

export function Matrix({ sides, rows }: { readonly sides: readonly ResultSide[]; readonly rows: readonly ResultRow[] }) {
  const [text, setText] = useState("");
  const [only, setOnly] = useState("all");
  const shown = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const { holds } = selections.find(({ id }) => id === only) ?? selections[0];
    return rows.filter((row) => holds(row.cells) && row.id.toLowerCase().includes(wanted));
  }, [rows, text, only]);
  const showAll = () => {
    setText("");
    setOnly("all");
  };
  return (
    <section class="matrix" style={{ "--sides": String(sides.length) }}>
      <div class="line">
        <h2>Cases</h2>
        <span class="muted small" aria-live="polite">
          {shown.length === rows.length ? counted(rows.length, "case") : `${whole(shown.length)} of ${counted(rows.length, "case")}`}
        </span>
        <span class="grow" />
        <input
          type="search"
          id="search"
          placeholder="Search cases"
          aria-label="Search the cases"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <select
          aria-label="Only these cases"
          value={only}
          class={only === "all" ? "" : "set"}
          onChange={(event) => setOnly(event.currentTarget.value)}
        >
          {selections.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <Legend />
      {shown.length === 0 ? (
        <Notice title="No matching case" next={{ label: "Show all cases", act: showAll }}>
          {counted(rows.length, "case")} were looked at.
        </Notice>
      ) : (
        <div class="matrix-wide">
          <div class="matrix-row matrix-head" aria-hidden="true">
            <span>case</span>
            {sides.map(({ label }) => (
              <span key={label} title={printable(label)}>
                {printable(label)}
              </span>
            ))}
          </div>
          <VirtualList
            label="Cases"
            class="matrix-list"
            count={shown.length}
            version={shown}
            keyOf={(i) => shown[i]?.key ?? i}
            estimate={() => 34}
            item={(i) => {
              const row = shown[i];
              return row && <MatrixRow row={row} sides={sides} />;
            }}
          />
        </div>
      )}
    </section>
  );
}

function MatrixRow({ row, sides }: { readonly row: ResultRow; readonly sides: readonly ResultSide[] }) {
  return (
    <article class="matrix-row">
      <a class="case" href={hrefOf("results", row.key)} title={printable(row.id)}>
        {caseName(row.id)}
      </a>
      {row.cells.map((cell, i) => (
        <Cell key={i} cell={cell} side={sides[i]?.label ?? ""} href={hrefOf("results", row.key, i)} />
      ))}
    </article>
  );
}

export function Cell({ cell, side, href }: { readonly cell: ResultCell; readonly side: string; readonly href: string }) {
  const [graded, ...classes] = cell;
  if (total(classes) === 0) return <span class="cell none" title="not tried" />;
  const [passed = 0] = classes;
  const rate = rateOf(cell);
  const heat = rate === null ? "none" : `heat-${Math.round(rate * 4)}`;
  const counts = trialClasses.map((each, i) => ({ each, count: classes[i] ?? 0 }));
  const facts = counts.flatMap(({ each, count }) => (count > 0 ? [`${count} ${classWords[each]}`] : []));
  const marked = counts.filter(({ each, count }) => count > 0 && marks[each] !== undefined);
  return (
    <a class={`cell ${heat}`} href={href} title={`${printable(side)}: ${facts.join(", ")}`}>
      <span class="hidden">{printable(side)}: </span>
      {graded === 0 ? "–" : `${passed}/${graded}`}
      {marked.map(({ each, count }) => (
        <span key={each} class={`cell-mark ${each === "ungraded" ? "error-mark" : "lost-mark"}`}>
          {marks[each]}
          {count}
        </span>
      ))}
      <span class="hidden"> {facts.join(", ")}</span>
    </a>
  );
}

/** Shown next to the rate: classes that are not plain passes and failures. */
const marks: Readonly<Partial<Record<TrialClass, string>>> = {
  out_of_time: "⏱",
  not_started: "○",
  lost_to_provider: "∅",
  lost_to_us: "×",
  ungraded: "!",
};

function Legend() {
  return (
    <p class="heat-legend muted small">
      <span class="cell heat-0">0</span>
      <span class="cell heat-1" />
      <span class="cell heat-2" />
      <span class="cell heat-3" />
      <span class="cell heat-4">all</span> of the trials that count passed (passed, failed and out of time);{" "}
      {trialClasses.flatMap((each) =>
        marks[each] === undefined
          ? []
          : [
              <span key={each}>
                <span class={`cell-mark ${each === "ungraded" ? "error-mark" : "lost-mark"}`}>{marks[each]}1</span> {classWords[each]}{" "}
              </span>,
            ],
      )}
    </p>
  );
}

export function caseName(id: string): string {
  return id.trim() === "" ? "(no name)" : printable(id);
}
