import { useMemo } from "preact/hooks";
import type { Evaluated, View } from "../../src/core/view.ts";
import { eventsOfLog } from "../../src/timeline/events-of-log.ts";
import { views } from "../../src/views/index.ts";
import { bytes, plural } from "../parts/amounts.ts";
import { LongText } from "../parts/long-text.tsx";
import { hrefOf } from "../router.ts";
import type { PageEvent } from "../source/run-source.ts";
import { useAllEvents } from "../source/use-all-events.ts";
import { evaluatedOf } from "./evaluated-of.ts";
import type { Panel, PanelProps } from "./panel.ts";

export const viewsPanel: Panel = { id: "views", title: "Views", Component: Views };

const offered = Object.values(views).filter(({ id }) => id !== "log") as readonly View[];

/** The published formats of this run, made here, by the same code as `derive`. */
function Views({ run, source, state, rest }: PanelProps) {
  const chosen = offered.find(({ id }) => id === rest[0]) ?? (offered[0] as View);
  const all = useAllEvents(source, state);
  const text = useMemo(
    () => (all.is === "here" ? textOf(chosen, all.events, evaluatedOf(state.page.about, run)) : undefined),
    [all.is, chosen],
  );
  return (
    <section class="about scroller" tabIndex={0} aria-label="Views">
      <nav class="chips" aria-label="Formats">
        {offered.map(({ id, title }) => (
          <a
            key={id}
            class="chip"
            href={hrefOf("runs", run, "views", id)}
            aria-current={id === chosen.id ? "true" : undefined}
            title={title}
          >
            {id}
          </a>
        ))}
      </nav>
      <p class="muted">{chosen.title}</p>
      <pre class="command" tabIndex={0}>{`harness derive ${run} --view ${chosen.id}`}</pre>
      {all.is === "too long" ? (
        <p>A run of {plural(state.count, "event")} is too long to be derived here; the command above prints the whole of it.</p>
      ) : text === undefined ? (
        <p class="muted">{all.is === "coming" ? "Deriving …" : "It is derived when the run is over."}</p>
      ) : (
        <>
          <p>
            <button
              type="button"
              class="button"
              onClick={() => download(`${run}.${chosen.id}.${chosen.text === undefined ? "jsonl" : "md"}`, text)}
            >
              Save {bytes(new Blob([text]).size)}
            </button>
          </p>
          <LongText key={chosen.id} text={text === "" ? "It has nothing to say of this run." : text} />
        </>
      )}
    </section>
  );
}

function textOf(view: View, events: readonly PageEvent[], evaluated: Evaluated): string {
  const eventOf = eventsOfLog();
  const projection = view.open({ evaluated });
  const records = [...events.flatMap((event) => projection.push(eventOf(event))), ...projection.end()];
  return records.map((record) => view.text?.(record) ?? `${JSON.stringify(record)}\n`).join("");
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
