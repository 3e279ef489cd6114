import type { ComponentType } from "preact";
import type { Route } from "../router.ts";

/** One screen: a file of this folder, and a line in index.ts. */
export interface Screen {
  /** The first word of its address; the others are its own. */
  readonly id: string;
  /** What the bar at the top calls it; absent where one comes to it from another screen only. */
  readonly title?: string;
  readonly Component: ComponentType<{ readonly route: Route }>;
}
