import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Program, type ProgramEnd, runProgram } from "../../../host/process/index.ts";
import { errorWords } from "../../../pure/base/index.ts";
import { headAndTail } from "../head-and-tail.ts";
import type { ToolState } from "../tool-context.ts";
import { ourTool } from "./our-tool.ts";

/** A command that runs in the background. */
interface Job {
  readonly command: string;
  /** What it printed since it was last read; the beginning is dropped if no one reads it. */
  unread: string;
  dropped: number;
  end: { readonly how: string } | undefined;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

const KEY = "background";
const MOST_UNREAD = 1024 * 1024;
const MOST_JOBS = 20;

function jobsIn(state: ToolState): Map<string, Job> {
  const known = state.get(KEY);
  if (known instanceof Map) return known as Map<string, Job>;
  const jobs = new Map<string, Job>();
  state.set(KEY, jobs);
  return jobs;
}

/** Starts a command that runs until it ends, is stopped, or its run ends. */
export function startJob(state: ToolState, command: string, program: Program): string {
  const jobs = jobsIn(state);
  if ([...jobs.values()].filter(({ end }) => end === undefined).length >= MOST_JOBS)
    throw new Error(`${MOST_JOBS} commands already run in the background. Stop one first.`);
  const id = `job-${jobs.size + 1}`;
  const stop = new AbortController();
  const signal = program.signal === undefined ? stop.signal : AbortSignal.any([program.signal, stop.signal]);
  const onOutput = (text: string) => {
    const all = job.unread + text;
    job.unread = all.slice(-MOST_UNREAD);
    job.dropped += all.length - job.unread.length;
  };
  const ended = (how: string) => {
    job.end = { how };
  };
  const over = runProgram({ ...program, signal, onOutput }).then(
    (end) => ended(howItEnded(end, stop.signal.aborted)),
    (error: unknown) => ended(errorWords(error)),
  );
  const job: Job = { command, unread: "", dropped: 0, end: undefined, stop, over };
  jobs.set(id, job);
  return id;
}

function howItEnded({ exitCode, signal, isTimedOut, exceeded }: ProgramEnd, isStopped: boolean): string {
  if (isTimedOut) return "It was stopped because its time was over.";
  if (exceeded !== undefined) return `It was stopped because of its ${exceeded}.`;
  if (isStopped) return "It was stopped.";
  return `It ended with ${exitCode === null ? `signal ${signal}` : `exit code ${exitCode}`}.`;
}

function found(state: ToolState, id: string): Job {
  const job = jobsIn(state).get(id);
  if (job !== undefined) return job;
  const known = [...jobsIn(state)].map(([name, { command }]) => `${name} (${headAndTail(command, 60)})`);
  throw new Error(`There is no background command ${id}. ${known.length === 0 ? "None was started." : `There are: ${known.join(", ")}.`}`);
}

function report(id: string, job: Job, characters: number) {
  const missing = job.dropped === 0 ? "" : `… (${job.dropped} characters were dropped)\n`;
  const text = headAndTail(job.unread, characters);
  job.unread = "";
  job.dropped = 0;
  const parts = [`${missing}${text === "" ? "(no new output)" : text}`, job.end === undefined ? `${id} is still running.` : job.end.how];
  return { context: parts.join("\n"), result: { job: id, running: job.end === undefined } };
}

export function backgroundTools(characters: number) {
  return {
    shell_output: ourTool({
      description: "Shows what a background command printed since you last looked, and whether it still runs.",
      onlyReads: true,
      isOurs: true,
      shape: { job: z.string(), wait_secs: z.number().min(0).max(600).optional().describe("Waits until it ends, at most this long") },
      async run({ job: id, wait_secs = 0 }, { signal, context }) {
        const job = found(context.state, id);
        const timer = new AbortController();
        const wait = pause(wait_secs * 1000, undefined, { signal: AbortSignal.any([signal, timer.signal]) }).catch(() => {});
        if (job.end === undefined && wait_secs > 0) await Promise.race([job.over, wait]);
        timer.abort();
        return report(id, job, characters);
      },
    }),
    shell_stop: ourTool({
      description: "Stops a background command and everything it started.",
      isOurs: true,
      shape: { job: z.string() },
      async run({ job: id }, { context }) {
        const job = found(context.state, id);
        job.stop.abort();
        await job.over;
        return report(id, job, characters);
      },
    }),
  };
}
