import type { Entry } from "./manifest.ts";

export type ChangeKind = "added" | "modified" | "deleted" | "renamed" | "mode" | "type" | "unknown";

/** One difference between two manifests. `unknown`: a side could not be read or listed, so there may be one. */
export interface Change {
  readonly kind: ChangeKind;
  readonly path: string;
  /** What it was called before, and how much of its contents is the same, of 1. */
  readonly from?: string;
  readonly similarity?: number;
  readonly before?: Entry;
  readonly after?: Entry;
}
