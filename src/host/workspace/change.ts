import type { Entry } from "./manifest.ts";

export type ChangeKind = "added" | "modified" | "deleted" | "renamed" | "mode" | "type" | "unknown";

/** One difference between two manifests. `unknown`: one side could not be read or listed, so there may be a difference. */
export interface Change {
  readonly kind: ChangeKind;
  readonly path: string;
  /** The earlier path, and the share of contents that is the same, from 0 to 1. */
  readonly from?: string;
  readonly similarity?: number;
  readonly before?: Entry;
  readonly after?: Entry;
}
