import { clipped } from "../base/index.ts";
import type { RecordRef } from "../events/index.ts";
import type { StderrLine } from "./stderr-budget.ts";

/** A frame of a stack trace, as JavaScript, Java, Python and Rust print it. */
const FRAME = /^\s+(at |File "|\d+: \S|\.\.\. \d+ more)/;

/** What may stand between or after frames: lines of source, the fields of an error. */
const DETAIL = /^\s+\S|^[}\]],?$/;

/** The rest of a trace is in the recording. */
const MOST = 8 * 1024;

/** Collects the frames that follow a line of stderr, so that a stack trace is one warning and not one per frame. */
export function stackTrace() {
  let isPossible = false; // a line of stderr came before
  let isAdmitted = false; // that line became a warning
  let isOpen = false;
  let text = "";
  let from: RecordRef[] = [];
  let last = 0;

  return {
    /** The first line of a trace, or a line without one. */
    after(admitted: boolean): void {
      isPossible = true;
      isAdmitted = admitted;
      isOpen = false;
    },
    /** Whether the line continues the line of stderr before it. */
    continues: (line: string) => isPossible && (isOpen ? FRAME.test(line) || DETAIL.test(line) : FRAME.test(line)),
    add(line: StderrLine, at: number): void {
      isOpen = true;
      last = at;
      if (!isAdmitted) return;
      if (text.length < MOST) text += text === "" ? line.text : `\n${line.text}`;
      from = from.length === 0 ? [...line.from] : [from[0] as RecordRef, ...line.from]; // the first and the last are enough to find them all
    },
    take(): (StderrLine & { readonly at: number }) | undefined {
      if (from.length === 0) return undefined;
      const taken = { text: clipped(text, MOST), from, at: last };
      text = "";
      from = [];
      return taken;
    },
  };
}
