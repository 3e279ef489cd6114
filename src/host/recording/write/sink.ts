import { errorWords } from "../../../pure/base/index.ts";
import type { View } from "../../../pure/pipeline/index.ts";
import type { ViewId } from "../../../pure/views/index.ts";
import type { LiveView } from "./live-view.ts";

/** Where the records of a run go while it runs. A sink cannot hold up the recording, and what it misses is on the disk. */
export interface Sink {
  /** What its report calls it. */
  readonly id: string;
  /** Which records it is given. Default: `log`. */
  readonly view?: ViewId | View;
  /** Given one batch after the other, never two at once. If it throws or rejects, it is given nothing more. */
  write(records: readonly object[], run: SinkRun): void | Promise<void>;
  /** Called once after the last batch, unless `write` failed. */
  end?(run: SinkRun): void | Promise<void>;
}

export interface SinkRun {
  readonly id: string;
  readonly directory: string;
  /** Aborted when the run is over and the sink is stuck. */
  readonly signal: AbortSignal;
}

/** How a sink fared. */
export interface SinkReport {
  readonly id: string;
  /** Records that it has taken. */
  readonly records: number;
  /** Why it did not get all of them; the rest can be derived from the recording. */
  readonly problem?: string;
}

/** After the run is over, a sink may take this long for a batch, or for its end. */
const PATIENCE_MS = 5000;

/** Hands a sink its records. Resolves when it has them all, has failed, or gets stuck when the run is over. Never rejects. */
export async function deliver(
  sink: Sink,
  view: LiveView<object>,
  run: Omit<SinkRun, "signal">,
  over: Promise<unknown>,
): Promise<SinkReport> {
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
      await sink.end?.(to);
      return { id, records };
    } catch (error) {
      return { id, records, problem: errorWords(error) };
    }
  }

  const gotStuck = new Promise<SinkReport>((resolve) => {
    const giveUp = () => {
      const problem = `it took nothing for ${PATIENCE_MS / 1000} s after the run was over`;
      stuck.abort(new Error(problem));
      resolve({ id, records, problem });
    };
    const wait = () => {
      timer = setTimeout(giveUp, PATIENCE_MS);
    };
    over.then(wait, wait);
  });
  const report = await Promise.race([pass(), gotStuck]);
  over.catch(() => {}).finally(() => clearTimeout(timer));
  return report;
}
