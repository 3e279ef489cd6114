import { errorWords, HarnessError, objectOf } from "../../../pure/base/index.ts";
import type { Event } from "../../../pure/events/index.ts";
import type { View } from "../../../pure/pipeline/index.ts";
import type { ViewId } from "../../../pure/views/index.ts";
import { evaluatedOf, findView, type OutputOf } from "../derive/index.ts";
import { type LiveView, liveView } from "./live-view.ts";

/** Receives the records of a run while it runs. A sink cannot slow the recording down, and what it misses is on disk. */
export interface Sink<V extends ViewId | View = ViewId | View> {
  /** The sink's name in its report. */
  readonly id: string;
  /** Which records it receives. Default: `log`. */
  readonly view?: V;
  /** Gets one batch after the other, never two in parallel. If it throws or rejects, it gets no more. */
  write(records: readonly OutputOf<V>[], run: SinkRun): void | Promise<void>;
  /** Called once after the last batch, unless `write` failed or got stuck. */
  end?(run: SinkRun): void | Promise<void>;
}

export interface SinkRun {
  readonly id: string;
  readonly directory: string;
  /** Aborted if the sink is stuck after the run is over. */
  readonly signal: AbortSignal;
}

export interface SinkReport {
  readonly id: string;
  /** How many records it received. */
  readonly records: number;
  /** Why it did not get all of them; the rest can be derived from the recording. */
  readonly problem?: string;
}

export interface Sinks {
  push(events: readonly Event[]): void;
  /** The run is over. */
  close(): void;
  /** How they fared; settles some time after the end. Never rejects. */
  readonly delivered: Promise<readonly SinkReport[]>;
}

/** Checks the sinks and looks up their views. The returned function attaches them to a run, and throws if a view cannot be opened. */
export function sinksOf(sinks: unknown = []): (run: Parameters<typeof liveView>[0] & Omit<SinkRun, "signal">) => Sinks {
  if (!Array.isArray(sinks) || !sinks.every(isSink))
    throw new HarnessError("usage", "`sinks` must be a list of objects with an `id` and a `write` function.", { option: "sinks" });
  const wanted = sinks.map((sink) => ({ sink, view: viewOf(sink) }));
  return (run) => {
    const live = wanted.map(({ sink, view }) => ({ sink, view: liveView(run, view, { evaluated: evaluatedOf(run.manifest) }) }));
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { id, directory } = run;
    return {
      push(events) {
        for (const { view } of live) view.push(events);
      },
      close() {
        for (const { view } of live) view.close(); // errors of the run are in its records
        end();
      },
      delivered: Promise.all(live.map(({ sink, view }) => deliver(sink, view, { id, directory }, over))),
    };
  };
}

function isSink(value: unknown): value is Sink {
  const { id, write, end }: Partial<Record<keyof Sink, unknown>> = objectOf(value) ?? {};
  return typeof id === "string" && typeof write === "function" && (end === undefined || typeof end === "function");
}

function viewOf({ id, view = "log" }: Sink): View {
  if (typeof view === "string") return findView(view);
  if (typeof view?.open === "function") return view;
  throw new HarnessError("usage", `The view of the sink ${id} must be the id of a view, or an object with open().`, { option: "sinks" });
}

/** How long a sink may take for a batch, or for its end, after the run is over. */
const PATIENCE_MS = 5000;

/** Passes a sink its records. Resolves when it has them all, has failed, or is stuck after the run is over. Never rejects. */
async function deliver(sink: Sink, view: LiveView<object>, run: Omit<SinkRun, "signal">, over: Promise<void>): Promise<SinkReport> {
  const { id } = sink;
  const stuck = new AbortController();
  const to = { ...run, signal: stuck.signal };
  let records = 0;
  let timer: NodeJS.Timeout | undefined;

  async function pass(): Promise<SinkReport> {
    try {
      for await (const batch of view.batches()) {
        await sink.write(batch, to);
        if (stuck.signal.aborted) break;
        records += batch.length;
        timer?.refresh();
      }
      if (!stuck.signal.aborted) await sink.end?.(to);
      return { id, records };
    } catch (error) {
      return { id, records, problem: errorWords(error) };
    }
  }

  const gotStuck = new Promise<SinkReport>((resolve) => {
    const giveUp = () => {
      const problem = `it accepted nothing for ${PATIENCE_MS / 1000} s after the run was over`;
      stuck.abort(new Error(problem));
      resolve({ id, records, problem });
    };
    const wait = () => {
      timer = setTimeout(giveUp, PATIENCE_MS);
    };
    void over.then(wait);
  });
  const report = await Promise.race([pass(), gotStuck]);
  void over.then(() => clearTimeout(timer));
  return report;
}
