import { aboutPanel } from "./about.tsx";
import { evidencePanel } from "./evidence.tsx";
import { graphPanel } from "./graph.tsx";
import type { Panel } from "./panel.ts";
import { plotsPanel } from "./plots.tsx";
import { timelinePanel } from "./timeline.tsx";
import { viewsPanel } from "./views.tsx";

/** All tabs. The first is the default. */
export const panels: readonly Panel[] = [timelinePanel, evidencePanel, graphPanel, plotsPanel, viewsPanel, aboutPanel];
