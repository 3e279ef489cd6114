import { Activity } from "../plots/activity.tsx";
import { Usage } from "../plots/usage.tsx";
import { Waterfall } from "../plots/waterfall.tsx";
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
