import { fits, printable } from "../../src/pure/base/index.ts";
import { evidence, wallLines } from "../../src/pure/isolation/index.ts";
import { Download, LongText } from "../parts/index.ts";
import { exported } from "../source/index.ts";
import type { Panel, PanelProps } from "./panel.ts";

export const aboutPanel: Panel = { id: "about", title: "About", Component: About };

function About({ run, state }: PanelProps) {
  const { about, row } = state.page;
  return (
    <section class="about scroller" tabIndex={0} aria-label="About this run">
      {row.prompt !== null && <LongText text={row.prompt} label="Prompt" />}
      <Walls isolation={about["isolation"]} />
      {exported() === undefined && (
        <>
          <h4>What the agent printed</h4>
          <p>
            <Download path={`/api/runs/${encodeURIComponent(run)}/raw/stdout`} name={`${run}-raw.jsonl`}>
              raw.jsonl
            </Download>{" "}
            <Download path={`/api/runs/${encodeURIComponent(run)}/raw/stderr`} name={`${run}-stderr.log`}>
              stderr.log
            </Download>{" "}
            <span class="muted">the first megabytes; the complete files are in the run's directory</span>
          </p>
          <h4>In the terminal</h4>
          <pre class="command" tabIndex={0}>{`harness derive ${run} --view log\nharness replay ${run}\nharness verify ${run}`}</pre>
        </>
      )}
      <LongText text={JSON.stringify(about, null, 2)} label="run.json" />
    </section>
  );
}

/** What the agent could reach. */
function Walls({ isolation }: { readonly isolation: unknown }) {
  if (!fits(evidence, isolation)) return null;
  return (
    <>
      <h4>Isolation</h4>
      <dl class="walls">
        {wallLines(isolation).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{printable(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
