import type { LogRecord } from "../../../pure/events/index.ts";
import { type RunState, runState, transcript } from "../account/index.ts";
import { type Detail, detailsOf } from "./step-details.ts";

/** One event of the account: its rows, and the details that opening it shows. */
export interface Step {
  /** The number of the event, which does not depend on the width. */
  readonly seq: number;
  readonly rows: readonly string[];
  readonly details: readonly Detail[];
  readonly size: number;
}

export interface StepWindow {
  /** The newest steps, oldest first. */
  readonly steps: readonly Step[];
  readonly state: RunState;
  readonly width: number;
  dropped(): number;
  lastSeq(): number;
  push(record: LogRecord, now: number): void;
}

interface Limits {
  readonly steps: number;
  readonly characters: number;
}

/** Limits memory to some tens of megabytes for a run of any length. */
const USUAL: Limits = { steps: 5000, characters: 16 * 1024 * 1024 };

/** The steps of a run at one width. A long run keeps only the newest. */
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
      const details = detailsOf(record, state); // before the state forgets the call
      const rows = account.push(record, width, now);
      if (rows.length === 0) return;
      const size = [...rows, ...details.map(({ text }) => text)].reduce((sum, text) => sum + text.length, 0);
      steps.push({ seq: record.seq, rows, details, size });
      characters += size;
      if (steps.length > limits.steps * 1.1 || characters > limits.characters) shorten(); // rarely, because removing steps moves all others
    },
  };
}
