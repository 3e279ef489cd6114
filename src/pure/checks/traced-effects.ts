import { counted, isObject, parseJsonLines } from "../base/index.ts";
import type { Evidence, TracedEffect, TraceGap, TraceGapReason } from "../events/index.ts";
import type { RunEvidence } from "./evidence.ts";

/** What a trace saw in addition to program starts. */
export interface Traced {
  readonly effects: readonly NumberedEffect[];
  /** Why effects may be missing, as part of a sentence; undefined: the list is complete. */
  gapFor(what: "files" | "connections"): string | undefined;
  readonly home?: string;
  readonly seq: number;
  readonly log?: string;
}

export interface NumberedEffect extends TracedEffect {
  /** Its line in the log. */
  readonly line: number;
}

/** Parses `trace_effects.jsonl`; undefined if a line is invalid. */
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

/** Undefined: effects were not traced. */
export function traced({ watched, effects }: RunEvidence): Traced | undefined {
  const summary = watched?.body.effects;
  if (watched === undefined || summary === undefined) return undefined;
  const { writes, sockets, connections, first, gaps, home, log } = summary;
  const known = effects ?? first;
  const isListed = known.length >= writes + sockets + connections;
  return {
    effects: known.map((effect, index) => ({ ...effect, line: index + 1 })),
    gapFor: (what) => (isListed ? gapText(gaps, what) : "there is more than the recording lists"),
    ...(home !== undefined && { home }),
    seq: watched.seq,
    ...(log !== undefined && { log: log.path }),
  };
}

/** Gaps that hide only file writes, and those that hide only contacts. */
const FILE_GAPS = new Set<TraceGapReason>(["unresolved-path", "mounts", "kernel-write", "shared-file"]);
const CONTACT_GAPS = new Set<TraceGapReason>(["unknown-family", "unsure-connection", "replaced-agent"]);

const GAP_TEXTS: Readonly<Record<TraceGapReason, (count: number) => string>> = {
  "unresolved-path": (count) => `the target of ${counted(count, "write call")} is unknown`,
  mounts: () => "a command changed the meaning of paths, by mounting or changing the root",
  "io-uring": () => "a process could write and connect unseen, through io_uring",
  "untraced-process": () => "a process was started outside the trace",
  outlived: () => "processes were still running when the trace ended",
  "other-process": () => "a process accessed another one",
  "other-abi": () => "a program of a different architecture was run, which is only partly traced",
  "unread-line": (count) => `${counted(count, "line")} of the trace could not be read`,
  "unknown-call": (count) => `the trace does not know what ${counted(count, "system call")} did`,
  "unknown-family": (count) => `the trace does not know what ${counted(count, "socket")} can send`,
  "unsure-connection": (count) => `whether ${counted(count, "address was", "addresses were")} reached is unknown`,
  "kernel-write": () => "the system wrote a file for a process",
  "replaced-agent": () => "the agent became another program, which used the network",
  "shared-file": (count) => `${counted(count, "file")} in the workspace may have another name outside it`,
  "too-many": (count) => `${count} more ${count === 1 ? "was" : "were"} not listed`,
};

function gapText(gaps: readonly TraceGap[], what: "files" | "connections"): string | undefined {
  const texts = gaps
    .filter(({ reason }) => !(what === "files" ? CONTACT_GAPS : FILE_GAPS).has(reason))
    .map(({ reason, count, example }) => GAP_TEXTS[reason](count) + (example === undefined ? "" : ` (${example.slice(0, 80)})`));
  return texts.length === 0 ? undefined : texts.join("; ");
}

export function effectEvidence(effects: readonly NumberedEffect[], { seq, log }: Traced): readonly Evidence[] {
  return effects.map(({ target, line, call, count, by, pid, argv }) => {
    const who = `${by === "agent" ? "the agent" : argv.join(" ")} (process ${pid})`;
    const excerpt = `${target}: ${call}${count > 1 ? ` ×${count}` : ""} by ${who}`;
    return { source: "commands", ...(log !== undefined && { path: log, line }), excerpt, events: [seq] };
  });
}

/** The first few targets, as part of a sentence. */
export function targetsOf(effects: readonly TracedEffect[]): string {
  const shown = [...new Set(effects.map(({ target }) => target))];
  return shown.slice(0, 5).join(", ") + (shown.length > 5 ? ", …" : "");
}
