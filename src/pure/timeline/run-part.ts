/** The events in a file that holds only part of a run. */
export interface RunPart {
  readonly first: number;
  readonly last: number;
  /** The number of events in the whole run; null if unknown. */
  readonly of: number | null;
}
