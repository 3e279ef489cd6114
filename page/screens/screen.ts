import type { ComponentType } from "preact";
import type { Route } from "../router.ts";

/** To add a screen: a file in this folder and a line in screens.ts. */
export interface Screen {
  /** The first part of its address. */
  readonly id: string;
  /** Its label in the top bar; absent if only other screens link to it. */
  readonly title?: string;
  readonly Component: ComponentType<{ readonly route: Route }>;
}
