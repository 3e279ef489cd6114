import type { StoreKind } from "../../pure/agents/index.ts";

export interface SessionFile {
  /** Absolute. */
  readonly path: string;
  /** Below the place it was found in, with `/`. */
  readonly name: string;
  readonly kind: StoreKind;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** For a session in a database: its id there. What is imported of the file are then its rows, as lines. */
  readonly session?: string;
}
