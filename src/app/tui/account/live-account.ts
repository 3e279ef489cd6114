import type { LogRecord } from "../../../pure/events/index.ts";
import { sequence } from "../../terminal/index.ts";
import { runState } from "./run-state.ts";
import { statusLine } from "./status-line.ts";
import { transcript } from "./transcript.ts";

/** `write` resolves when the text is written, so that a slow terminal slows the program down instead of filling memory. */
export interface Screen {
  write(text: string): Promise<void>;
}

export interface LiveAccount {
  /** Prints the rows of these records. Rejects if the screen has failed, also between two calls. */
  push(records: readonly LogRecord[]): Promise<void>;
  end(): Promise<void>;
}

interface Options {
  readonly out: Screen;
  /** Shows a status line; the terminal must understand escape sequences. */
  readonly animate: boolean;
  readonly columns: () => number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The start of the run on that clock. Default: now. */
  readonly startedAt?: number;
}

const EVERY_MS = 100;
/** Longer text is written piece by piece: a batch of long records must not become one string. */
const LARGE = 256 * 1024;
const USUAL_WIDTH = 80;
const NARROWEST = 20;

/** Erases the status line, then the lines it wrapped to in a narrower window. With `J` alone at the top of the screen, tmux would keep the line in its history. */
const ERASE = ["\r", "[K", "[J"].map(sequence).join("");

/** A terminal with mode 2026 shows everything in between as one frame; others ignore it. */
const BEGIN = sequence("[?2026h");
const END = sequence("[?2026l");
const BEFORE_STATUS = ["\r", "[?7l"].map(sequence).join("");
const AFTER_STATUS = ["[J", "[?7h", "\r"].map(sequence).join("");

/**
 * The account of a run on a screen: permanent rows, and a status line below them. The cursor rests at the start of the status line: a
 * resize leaves it there, so erasing from there works at any width. The line is written with wrapping off, so that a character wider
 * than expected cannot scroll the screen. Rows and status are one write, and writes never overlap.
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

  /** Runs tasks one after the other, and none after a failure. */
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

  /** Skips a frame if the terminal is still busy with the last one. */
  function tick(): void {
    if (waiting > 0) return;
    inTurn(() => show("")).catch(() => {}); // the next push reports it
  }

  async function show(rows: string): Promise<void> {
    const width = columns() || USUAL_WIDTH;
    const isNeeded = animate && !isOver && !state.hasEnded();
    const at = now();
    const line = isNeeded ? statusLine(state, { elapsed: at - startedAt, now: at, columns: width }) : "";
    const erased = isShown && (rows !== "" || line === "") ? ERASE : "";
    const status = line === "" ? "" : `${BEFORE_STATUS}${line}${AFTER_STATUS}`;
    isShown = line !== "";
    const text = `${erased}${rows}${status}`;
    if (text !== "") await out.write(animate && rows !== "" ? `${BEGIN}${text}${END}` : text);
  }

  /** Rows without a status line, because more rows follow. */
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
