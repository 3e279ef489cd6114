import type { ComponentType } from "preact";
import type { RunSource } from "../source/index.ts";
import type { TimelineState } from "../timeline/index.ts";

export interface PanelProps {
  readonly run: string;
  readonly source: RunSource;
  readonly state: TimelineState;
  /** The parts of the address after the panel's id. */
  readonly rest: readonly string[];
}

/** A tab of the run screen. To add one: a file in this folder and a line in panels.ts. */
export interface Panel {
  /** Its address is `#/runs/<run>/<id>`. */
  readonly id: string;
  readonly title: string;
  readonly Component: ComponentType<PanelProps>;
}
