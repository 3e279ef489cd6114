import type { LogRecord } from "../../../pure/events/index.ts";
import { type RunState, runState, transcript } from "../account/index.ts";
import { type Detail, detailsOf } from "./step-details.ts";

/** What the account tells of one event: its rows, and what an open one shows below them. */
export interface Step {
  /** The event's number: it stays the same when the run is read again for another width. */
  readonly seq: number;
  readonly rows: readonly string[];
  readonly details: readonly Detail[];
  /** Characters of all that. */
  readonly size: number;
}

export interface StepWindow {
  /** The newest steps, oldest first. */
  readonly steps: readonly Step[];
  readonly state: RunState;
  /** How wide the rows are at most. */
  readonly width: number;
  /** Steps that were there and are not kept. */
  dropped(): number;
  /** The number of the last event that was seen. */
  lastSeq(): number;
  push(record: LogRecord, now: number): void;
}

interface Limits {
  readonly steps: number;
  readonly characters: number;
}

/** What a screen keeps of a run of any length: some tens of megabytes at most. */
const USUAL: Limits = { steps: 5000, characters: 16 * 1024 * 1024 };

/** The steps of a run as they are told at one width. Of a long run the newest are kept. */
export function stepWindow(width: number, limits: Limits = USUAL): StepWindow {
  const state = runState();
  const account = transcript(state);
  const steps: Step[] = [];
  let characters = 0;
  let dropped = 0;
  let last = 0;

  function shorten(): void {
    let many = 0;
    while (many < steps.length - 1 && (steps.length - many > limits.steps || characters > limits.characters)) {
      characters -= steps[many]?.size ?? 0;
      many++;
    }
    steps.splice(0, many);
    dropped += many;
  }

  return {
    steps,
    state,
    width,
    dropped: () => dropped,
    lastSeq: () => last,
    push(record, now) {
      last = record.seq;
      const details = detailsOf(record, state); // before the call that it ends is forgotten
      const rows = account.push(record, width, now);
      if (rows.length === 0) return;
      const size = [...rows, ...details.map(({ text }) => text)].reduce((sum, text) => sum + text.length, 0);
      steps.push({ seq: record.seq, rows, details, size });
      characters += size;
      if (steps.length > limits.steps * 1.1 || characters > limits.characters) shorten(); // not one by one: each moves all others
    },
  };
}
