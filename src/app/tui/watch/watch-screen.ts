import { openRun } from "../../../host/recording/index.ts";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import { onStopSignals, setExitCode, write } from "../../terminal/index.ts";
import { followRun } from "./follow-run.ts";
import { frameOf } from "./frame-of.ts";
import { fullScreen } from "./full-screen.ts";
import { accountWidth, layoutOf } from "./layout.ts";
import { paintFrame } from "./paint-frame.ts";
import { pressKey, settle, type Wish } from "./press-key.ts";
import { readKeys } from "./read-keys.ts";
import type { RunList } from "./run-list.ts";
import { reveal } from "./scroll.ts";
import { type StepWindow, stepWindow } from "./step-window.ts";
import { openedRun, watchState } from "./watch-state.ts";

interface Options {
  readonly listOf: (onChange: () => void) => RunList;
  readonly directoryOf: (id: string) => string;
  /** Opens this run first; leaving it ends the screen. */
  readonly only?: string;
}

const EVERY_MS = 100;
/** A lone escape is the Escape key after this time. */
const ESCAPE_MS = 50;
/** Dragging a window sends many sizes. */
const RESIZE_MS = 80;
const INTERRUPTED = 130;

export async function watchScreen({ listOf, directoryOf, only }: Options): Promise<void> {
  const state = watchState();
  const keys = readKeys();
  let before: readonly string[] | undefined;
  let isDrawing = false;
  let isDirty = false;
  let isOver = false;
  let reading: AbortController | undefined;
  let pendingEscape: NodeJS.Timeout | undefined;
  let pendingResize: NodeJS.Timeout | undefined;
  let leave: (error?: unknown) => void = () => {};
  const left = new Promise<void>((resolve, reject) => (leave = (error) => (error === undefined ? resolve() : reject(error))));

  const screen = fullScreen(redraw);
  const list = listOf(draw);
  const signals = onStopSignals(() => leave());
  const ticking = setInterval(draw, EVERY_MS);
  void list.failed.catch(leave);
  void list.ready.then(() => {
    state.isReady = true;
    draw();
  });
  measure();

  /** Draws one frame at a time; a slow terminal gets fewer frames. */
  function draw(): void {
    isDirty = true;
    if (isDrawing || isOver) return;
    isDrawing = true;
    void paint()
      .catch(leave)
      .finally(() => (isDrawing = false));
  }

  async function paint(): Promise<void> {
    while (isDirty && !isOver) {
      isDirty = false;
      state.runs = list.runs();
      state.now = Date.now();
      settle(state);
      const frame = frameOf(state);
      const text = paintFrame(before, frame);
      before = frame;
      if (text !== "") await write(text);
    }
  }

  function redraw(): void {
    before = undefined;
    draw();
  }

  function measure(): void {
    state.rows = Math.max(1, process.stdout.rows || 24);
    state.columns = Math.max(2, process.stdout.columns || 80);
  }

  function resize(): void {
    measure();
    if (state.run !== undefined && !state.run.follows) reveal(state.run, layoutOf(state.rows).body);
    redraw();
    clearTimeout(pendingResize);
    pendingResize = setTimeout(() => {
      if (state.run !== undefined && state.run.window.width !== accountWidth(state.columns)) read(state.run.id);
    }, RESIZE_MS);
  }

  function open(id: string): void {
    state.run = openedRun(id, stepWindow(accountWidth(state.columns)));
    read(id);
  }

  /** Reads the run again for the current width. The old rows stay until the new ones reach as far. */
  function read(id: string): void {
    reading?.abort();
    reading = new AbortController();
    const { signal } = reading;
    const window = stepWindow(accountWidth(state.columns));
    const shown = (isAll: boolean) => {
      const run = state.run;
      if (signal.aborted || run?.id !== id) return;
      if (isAll) run.isRead = true;
      if (run.window !== window && (isAll || window.lastSeq() >= run.window.lastSeq())) {
        run.window = window;
        if (!run.follows) reveal(run, layoutOf(state.rows).body); // its rows have changed
      }
      draw();
    };
    readInto(window, directoryOf(id), signal, () => shown(false))
      .then(() => shown(true))
      .catch((error) => {
        if (!(error instanceof HarnessError)) return leave(error);
        if (state.run?.id === id) state.run.problem = errorWords(error);
        shown(true);
      });
  }

  function wish(wanted: Wish | undefined): void {
    switch (wanted?.type) {
      case "quit":
        if (wanted.interrupted) setExitCode(INTERRUPTED);
        leave();
        break;
      case "close":
        reading?.abort();
        state.run = undefined;
        if (only !== undefined) leave();
        break;
      case "open":
        open(wanted.id);
        break;
      case "suspend":
        screen.suspend();
        break;
      case "redraw":
        before = undefined;
        break;
    }
  }

  function take(pressed: readonly string[]): void {
    for (const key of pressed) {
      wish(pressKey(state, key));
      settle(state);
    }
    draw();
  }

  function typed(text: string): void {
    clearTimeout(pendingEscape);
    take(keys.push(text));
    if (keys.isWaiting()) pendingEscape = setTimeout(() => take(keys.flush()), ESCAPE_MS);
  }

  process.stdin.setEncoding("utf8").on("data", typed).on("end", leave).resume();
  process.stdout.on("resize", resize);
  if (only !== undefined) open(only);
  try {
    await left;
  } finally {
    isOver = true;
    clearInterval(ticking);
    clearTimeout(pendingEscape);
    clearTimeout(pendingResize);
    process.stdin.off("data", typed).off("end", leave).pause();
    process.stdout.off("resize", resize);
    reading?.abort();
    screen.leave();
    const bySignal = signals.done();
    if (bySignal !== undefined) setExitCode(bySignal);
    await list.close();
  }
}

async function readInto(window: StepWindow, directory: string, signal: AbortSignal, onRecords: () => void): Promise<void> {
  const opened = await openRun(directory);
  await followRun(
    opened,
    (records) => {
      for (const record of records) window.push(record, Date.now());
      onRecords();
    },
    signal,
  );
}
