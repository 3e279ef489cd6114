import type { LogRecord } from "../../../pure/events/index.ts";
import { runState } from "./run-state.ts";
import { statusLine } from "./status-line.ts";
import { transcript } from "./transcript.ts";

/** Where the account is shown: resolves when the text is gone, so that a slow terminal slows us down and costs no memory. */
export interface Screen {
  write(text: string): Promise<void>;
}

export interface LiveAccount {
  /** Prints what these records add. Rejects where the screen failed, also if that was while nothing was being pushed. */
  push(records: readonly LogRecord[]): Promise<void>;
  /** Removes the status line for good. */
  end(): Promise<void>;
}

interface Options {
  readonly out: Screen;
  /** Whether there is a status line: the screen is a terminal that obeys escape sequences. */
  readonly animate: boolean;
  readonly columns: () => number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** When the run began, on that clock; otherwise it begins now. */
  readonly startedAt?: number;
}

const EVERY_MS = 100;
/** Written at once: a batch of long records must not become one string. */
const LARGE = 256 * 1024;
const USUAL_WIDTH = 80;
const NARROWEST = 20;

/** The status line, then what a narrower window has wrapped of it. At once, and at the top of the screen, tmux would keep it in its history. */
const ERASE = "\r\x1b[K\x1b[J";

/** Rows take the place of the status line, which moves down: a terminal that knows mode 2026 shows that at once. Others ignore it. */
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

/**
 * The account of a run on a screen: rows that stay and, below them, one line of status. The cursor rests at the beginning
 * of that line, where a resize leaves it, so that erasing from there is enough at any width; the line is written with
 * wrapping off, so that a character which is wider than we believe cannot scroll the screen. Rows and status go out in
 * one piece, one piece at a time.
 */
export function liveAccount({ out, animate, columns, now, startedAt = now() }: Options): LiveAccount {
  const state = runState();
  const account = transcript(state);
  let queue: Promise<void> = Promise.resolve();
  let waiting = 0;
  let isShown = false;
  let isOver = false;
  const ticking = animate ? setInterval(tick, EVERY_MS) : undefined;
  ticking?.unref();

  /** One after another; after a failure no more. */
  function inTurn(task: () => Promise<void>): Promise<void> {
    waiting++;
    queue = queue.then(task).finally(() => waiting--);
    queue.catch(stop);
    return queue;
  }

  function stop(): void {
    isOver = true;
    clearInterval(ticking);
  }

  /** A terminal that is still busy with the last frame needs no other. */
  function tick(): void {
    if (waiting > 0) return;
    inTurn(() => show("")).catch(() => {}); // the next push tells
  }

  async function show(rows: string): Promise<void> {
    const width = columns() || USUAL_WIDTH;
    const isNeeded = animate && !isOver && !state.hasEnded();
    const at = now();
    const line = isNeeded ? statusLine(state, { elapsed: at - startedAt, now: at, columns: width }) : "";
    const erased = isShown && (rows !== "" || line === "") ? ERASE : "";
    const status = line === "" ? "" : `\r\x1b[?7l${line}\x1b[J\x1b[?7h\r`;
    isShown = line !== "";
    const text = `${erased}${rows}${status}`;
    if (text !== "") await out.write(animate && rows !== "" ? `${BEGIN}${text}${END}` : text);
  }

  /** Rows without a status line below them, while more of them are to come. */
  async function showPart(rows: string): Promise<void> {
    const erased = isShown ? ERASE : "";
    isShown = false;
    await out.write(`${erased}${rows}`);
  }

  async function pushAll(records: readonly LogRecord[]): Promise<void> {
    let text = "";
    for (const record of records) {
      const width = Math.max(NARROWEST, columns() || USUAL_WIDTH);
      for (const row of account.push(record, width, now())) text += `${row}\n`;
      if (text.length < LARGE) continue;
      await showPart(text);
      text = "";
    }
    if (text !== "" || state.hasEnded()) await show(text);
  }

  return {
    push: (records) => inTurn(() => pushAll(records)),
    end() {
      stop();
      return inTurn(() => show(""));
    },
  };
}
