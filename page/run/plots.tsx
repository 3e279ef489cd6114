import type { Panel, PanelProps } from "./panel.ts";

export const plotsPanel: Panel = { id: "plots", title: "Plots", Component: Plots };

function Plots(_: PanelProps) {
  return null;
}
