import { Activity, Usage, Waterfall } from "../plots/index.ts";
import type { Panel, PanelProps } from "./panel.ts";

export const plotsPanel: Panel = { id: "plots", title: "Plots", Component: Plots };

function Plots({ run, source, state }: PanelProps) {
  const { columns, count } = state;
  return (
    <section class="plots scroller" tabIndex={0} aria-label="Plots">
      <Activity columns={columns} events={count} />
      <Usage source={source} columns={columns} events={count} grows={!state.log.done} />
      <Waterfall run={run} source={source} columns={columns} events={count} />
    </section>
  );
}
