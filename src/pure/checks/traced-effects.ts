import { counted, isObject, parseJsonLines } from "../base/index.ts";
import type { Evidence, TracedEffect, TraceGap, TraceGapReason } from "../events/index.ts";
import type { RunEvidence } from "./evidence.ts";

/** What a trace saw beside the starts of programs, as far as it is known. */
export interface Traced {
  readonly effects: readonly NumberedEffect[];
  /** Why there may be others, for a sentence; undefined: these are all. */
  gapFor(what: "files" | "connections"): string | undefined;
  readonly home?: string;
  readonly seq: number;
  readonly log?: string;
}

export interface NumberedEffect extends TracedEffect {
  /** Its line of the log. */
  readonly line: number;
}

/** The lines of `trace_effects.jsonl`; undefined where one of them is no such line. */
export function effectsIn(text: string): readonly TracedEffect[] | undefined {
  try {
    const values = parseJsonLines(text);
    return values.every(isEffect) ? values : undefined;
  } catch {
    return undefined;
  }
}

function isEffect(value: unknown): value is TracedEffect {
  return (
    isObject(value) && ["kind", "target", "by", "call"].every((name) => typeof value[name] === "string") && Array.isArray(value["argv"])
  );
}

/** Undefined: nobody looked. */
export function traced({ watched, effects }: RunEvidence): Traced | undefined {
  const told = watched?.body.effects;
  if (watched === undefined || told === undefined) return undefined;
  const { writes, sockets, connections, first, gaps, home, log } = told;
  const known = effects ?? first;
  const isListed = known.length >= writes + sockets + connections;
  return {
    effects: known.map((effect, index) => ({ ...effect, line: index + 1 })),
    gapFor: (what) => (isListed ? gapWords(gaps, what) : "there is more than the recording lists"),
    ...(home !== undefined && { home }),
    seq: watched.seq,
    ...(log !== undefined && { log: log.path }),
  };
}

/** Those that hide only where something was written. */
const FILE_GAPS = new Set<TraceGapReason>(["unresolved-path", "mounts"]);

const WORDS: Readonly<Record<TraceGapReason, (count: number) => string>> = {
  "unresolved-path": (count) => `where ${counted(count, "call")} wrote is not known`,
  mounts: () => "a command changed what paths mean, by mounting or by another root",
  "io-uring": () => "a process could write and connect without a call, by io_uring",
  "untraced-process": () => "a process was started so that it is not traced",
  outlived: () => "processes went on when the trace had ended",
  "other-process": () => "a process reached into another one",
  "other-abi": () => "a program of another architecture was run, which is not traced whole",
  "unread-line": (count) => `${counted(count, "line")} of the trace could not be read`,
  "too-many": (count) => `${count} more ${count === 1 ? "was" : "were"} not listed`,
};

function gapWords(gaps: readonly TraceGap[], what: "files" | "connections"): string | undefined {
  const words = gaps
    .filter(({ reason }) => what === "files" || !FILE_GAPS.has(reason))
    .map(({ reason, count, example }) => WORDS[reason](count) + (example === undefined ? "" : ` (${example.slice(0, 80)})`));
  return words.length === 0 ? undefined : words.join("; ");
}

export function effectEvidence(effects: readonly NumberedEffect[], { seq, log }: Traced): readonly Evidence[] {
  return effects.map(({ target, line, call, count, by, pid, argv }) => {
    const who = `${by === "agent" ? "the agent" : argv.join(" ")} (process ${pid})`;
    const excerpt = `${target}: ${call}${count > 1 ? ` ×${count}` : ""} by ${who}`;
    return { source: "commands", ...(log !== undefined && { path: log, line }), excerpt, events: [seq] };
  });
}

/** The first few, for a sentence. */
export function targetsOf(effects: readonly TracedEffect[]): string {
  const shown = [...new Set(effects.map(({ target }) => target))];
  return shown.slice(0, 5).join(", ") + (shown.length > 5 ? ", …" : "");
}
