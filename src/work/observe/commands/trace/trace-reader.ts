import type { TracedEffect, TraceGap } from "../../../../pure/events/index.ts";
import { type EffectsOptions, effectReader } from "./effect-reader.ts";
import { straceCall } from "./strace-call.ts";
import { isHarmless } from "./system-calls.ts";
import { traceLines } from "./trace-lines.ts";
import { type TracedCommand, traceProcesses } from "./trace-processes.ts";

export interface Trace {
  readonly commands: readonly TracedCommand[];
  readonly isWhole: boolean;
  readonly effects: readonly TracedEffect[];
  readonly gaps: readonly TraceGap[];
}

/** Reads `strace`'s lines one by one. Memory grows only with living processes and distinct effects. */
export function traceReader(options?: EffectsOptions) {
  const lines = traceLines();
  const processes = traceProcesses(lines.begun, { ...(options && { cwd: options.cwd }), isAgent: options?.isAgent ?? (() => false) });
  const { alive, newNetwork } = processes;
  const reader = options === undefined ? undefined : effectReader(options, { alive, begun: lines.begun, newNetwork });

  /** A line that is not one of a trace, or belongs to no process for certain. */
  let hasHoles = false;

  function push(line: string): void {
    const whole = lines.push(line);
    if (whole === null) hasHoles = true;
    if (!whole) return;
    const { pid, at, text } = whole;
    if (text.startsWith("+++ ")) {
      if (text.includes("(core dumped)")) reader?.dumped(processes.of(pid));
      return processes.ended(pid, at, text);
    }
    if (isHarmless(text.slice(0, text.indexOf("(")))) return;
    if (reader?.isIdle(whole, processes.of(pid))) return;
    const call = straceCall(text);
    if (call === undefined) return reader?.unread(text);
    if (/^(?:clone3?|v?fork)$/.test(call.name)) {
      const child = Number(/ \/\* (\d+) in strace's PID NS \*\/$/.exec(text)?.[1] ?? call.result ?? 0);
      if (child > 0) processes.forked(pid, child, text);
    } else if (/^execve(?:at)?$/.test(call.name)) {
      if (call.result !== 0) return;
      const first = call.name === "execve" ? 0 : 1;
      processes.started(pid, at, call.strings(call.args[first])[0] ?? "", call.strings(call.args[first + 1]));
      return;
    }
    reader?.see(call, { ...whole, process: processes.of(pid) });
  }

  function trace(): Trace {
    const found = reader?.found(processes.alive.size);
    const isWhole = !hasHoles && processes.isWhole();
    return { commands: processes.commands(), isWhole, effects: found?.effects ?? [], gaps: found?.gaps ?? [] };
  }
  return { push, trace };
}
