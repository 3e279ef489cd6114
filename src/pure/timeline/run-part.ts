/** The events of a run that a file holds, where it does not hold all of them. */
export interface RunPart {
  readonly first: number;
  readonly last: number;
  /** Of so many; null where that is not known. */
  readonly of: number | null;
}
