import { Worker } from "node:worker_threads";

/** An input that takes this long hangs. Shorter ones are measured by the thread itself, which repeats them to be sure. */
const HANGS_MS = 20_000;
/** A parser that needs more for inputs of 8 MB keeps too much. */
const MEMORY_MB = 1024;
const LOOK_MS = 500;
const MOST_PROBLEMS = 1000;

export interface Watched {
  /** The address of the thread's code. */
  readonly worker: string;
  readonly root: string;
  readonly parser: string;
  readonly seed: number;
  readonly first: number;
  readonly end: number;
  readonly hangsMs?: number;
  readonly memoryMb?: number;
}

/** What a thread reports. */
export type Report = { readonly type: "problem"; readonly index: number; readonly problem: string } | ({ readonly type: "done" } & Figures);

export interface Figures {
  readonly slowest: { readonly ms: number; readonly index: number };
  readonly peakMb: number;
  readonly keptMb: number;
}

export interface Problem {
  readonly index: number;
  readonly problem: string;
}

/** Tries inputs in a thread, and starts another one after an input that hung it or took all its memory. */
export async function watched(task: Watched, onProgress: (index: number) => void = () => {}) {
  const problems: Problem[] = [];
  let figures: Figures = { slowest: { ms: 0, index: task.first }, peakMb: 0, keptMb: 0 };
  for (let from = task.first; from < task.end && problems.length < MOST_PROBLEMS; ) from = await runFrom(from);
  return { problems, figures };

  /** Returns the index to continue at. */
  function runFrom(first: number): Promise<number> {
    const { worker, hangsMs = HANGS_MS, memoryMb = MEMORY_MB, ...rest } = task;
    const progress = new SharedArrayBuffer(4);
    const current = new Int32Array(progress);
    current[0] = first;
    const before = problems.length;
    const thread = new Worker(new URL(worker), {
      workerData: { ...rest, first, progress },
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    const at = () => Atomics.load(current, 0);
    let seen = { index: -1, since: performance.now(), cpu: process.cpuUsage() };
    let isDone = false;

    /** Other programs may keep a thread waiting, but not for ten times as long. */
    function isHung(ms: number, { user, system }: NodeJS.CpuUsage): boolean {
      return ms > hangsMs && (user + system > hangsMs * 500 || ms > 10 * hangsMs);
    }

    function look(): void {
      onProgress(at());
      if (at() !== seen.index) seen = { index: at(), since: performance.now(), cpu: process.cpuUsage() };
      else if (isHung(performance.now() - seen.since, process.cpuUsage(seen.cpu))) {
        problems.push({ index: at(), problem: `hangs: no end within ${hangsMs} ms` });
        void thread.terminate();
      }
      if (problems.length >= MOST_PROBLEMS) void thread.terminate();
    }

    const looking = setInterval(look, LOOK_MS);
    thread.on("message", (report: Report) => {
      if (report.type === "problem") problems.push({ index: report.index, problem: report.problem });
      else {
        const { slowest, peakMb, keptMb } = report;
        isDone = true;
        figures = {
          slowest: slowest.ms > figures.slowest.ms ? slowest : figures.slowest,
          peakMb: Math.max(figures.peakMb, peakMb),
          keptMb: Math.max(figures.keptMb, keptMb),
        };
      }
    });
    thread.on("error", (error) => problems.push({ index: at(), problem: `ended the thread: ${error.stack}` }));
    return new Promise((resolve) => {
      thread.on("exit", () => {
        clearInterval(looking);
        if (!isDone && problems.length === before) problems.push({ index: at(), problem: "ended the thread" });
        resolve(isDone ? task.end : at() + 1);
      });
    });
  }
}
