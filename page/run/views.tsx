import { bytes } from "../../src/pure/base/index.ts";
import type { View } from "../../src/pure/pipeline/index.ts";
import { MOST_KEPT } from "../../src/pure/timeline/index.ts";
import { views } from "../../src/pure/views/index.ts";
import { hrefOf } from "../router.ts";
import { ViewReader } from "../views/index.ts";
import type { Panel, PanelProps } from "./panel.ts";

export const viewsPanel: Panel = { id: "views", title: "Views", Component: Views };

const offered = Object.values(views).filter(({ id }) => id !== "log") as readonly View[];

/** The published formats of this run, derived in the browser by the same code as `derive`. */
function Views({ run, source, state, rest }: PanelProps) {
  const chosen = offered.find(({ id }) => id === rest[0]) ?? (offered[0] as View);
  const size = state.page.row.bytes ?? 0;
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
      {state.page.part !== undefined ? (
        <p>A view needs the whole run, and this file has only a part. Use the command above.</p>
      ) : chosen.holdsRun === true && size > MOST_KEPT ? (
        <p>
          This format is one record of the whole run, and its agent printed {bytes(size)}: too much to be kept in a browser. The command
          above makes it; activity, stream, trajectory and conversation are read here part by part.
        </p>
      ) : (
        <ViewReader key={chosen.id} run={run} view={chosen} source={source} state={state} />
      )}
    </section>
  );
}
