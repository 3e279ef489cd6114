import type { ComponentType } from "preact";
import type { RunSource } from "../source/index.ts";
import type { TimelineState } from "../timeline/index.ts";

export interface PanelProps {
  readonly run: string;
  readonly source: RunSource;
  readonly state: TimelineState;
  /** The words of the address behind the panel's own. */
  readonly rest: readonly string[];
}

/** One way to look at a run: a file of this folder, and a line in panels.ts. */
export interface Panel {
  /** The word of its address: `#/runs/<run>/<id>`. */
  readonly id: string;
  readonly title: string;
  readonly Component: ComponentType<PanelProps>;
}
