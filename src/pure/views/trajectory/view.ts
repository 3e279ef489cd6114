import { nothing } from "../../base/index.ts";
import type { BodyOf, Event, ToolEndBody } from "../../events/index.ts";
import type { Projection, View, ViewOptions } from "../../pipeline/index.ts";
import type { TrajectoryStep } from "./schema.ts";

type Common = Pick<TrajectoryStep, "timestamp" | "stepId" | "subagentId">;
type Content = TrajectoryStep extends infer Step ? (Step extends Common ? Omit<Step, keyof Common> : never) : never;

/** A step that has begun. It waits for its content, and for the steps before it. */
interface Slot {
  readonly began: number;
  /** The record that began it. */
  readonly place: number;
  readonly parent: string | undefined;
  content?: Content;
  /** The event that completed it. */
  by?: Event;
  /** It came to nothing: text that was thrown away. */
  dropped?: true;
}

export const trajectory: View<TrajectoryStep> = {
  id: "trajectory",
  title: "What the agent thought, said and called, step by step",
  open,
};

/** Steps come out in the order in which they began, so a long call holds back the steps that began after it. */
function open(options: ViewOptions = {}): Projection<TrajectoryStep> {
  const prefix = options.evaluated?.id ?? "run";
  const calls = new Map<number, Slot>(); // by the number of the event that began it
  const spoken = { text: undefined as Slot | undefined, thought: undefined as Slot | undefined }; // of the main thread
  const sources = new WeakMap<TrajectoryStep, Event>();
  let waiting: Slot[] = [];
  let startedAt: number | undefined;
  let count = 0;
  let latest = 0;
  let place = 0; // of the current event
  let behind = Number.POSITIVE_INFINITY; // a step that began in this record is still unknown
  let messageId: string | undefined;

  function begin(began: number, parent: string | undefined): Slot {
    const slot: Slot = { began, place, parent };
    let at = waiting.length;
    while (at > 0 && (waiting[at - 1]?.place ?? 0) > place) at--; // a call may be known late
    waiting.splice(at, 0, slot);
    return slot;
  }

  /** The first delta of a message or thought is its beginning. */
  function delta(kind: "text" | "thought", at: number, body: BodyOf<"text-delta"> | BodyOf<"reasoning-delta">): void {
    if (body.parent !== undefined) return;
    if (kind === "text" && body.messageId !== messageId) drop("text"); // a retry threw it away
    if (kind === "text") messageId = body.messageId;
    spoken[kind] ??= begin(at, undefined);
  }

  function drop(kind: "text" | "thought"): void {
    const slot = spoken[kind];
    spoken[kind] = undefined;
    if (slot !== undefined) slot.dropped = true;
  }

  function said(kind: "text" | "thought", event: Event, { parent, text, since }: BodyOf<"message"> | BodyOf<"reasoning">): void {
    const known = parent === undefined ? spoken[kind] : undefined;
    if (parent === undefined) spoken[kind] = undefined;
    const slot = known ?? begin(since ?? event.at, parent);
    slot.content = { type: kind === "text" ? "message" : "thought", content: text };
    slot.by = event;
  }

  function toolEnd(event: Event, body: BodyOf<"tool-end">): void {
    const { at, call } = event;
    const start = call?.start;
    const slot = (start === undefined ? undefined : calls.get(start.seq)) ?? begin(at, body.parent);
    for (const each of [start, ...(call?.rivals ?? [])]) {
      const rival = each === undefined ? undefined : calls.get(each.seq);
      if (each !== undefined) calls.delete(each.seq);
      if (rival !== undefined && rival !== slot) rival.dropped = true;
    }
    const { tool = "unknown", title, unnamed, input } = start?.body ?? {};
    const output = body.rawOutput ?? body.output;
    slot.by = event;
    slot.content = {
      type: "tool_call",
      name: title ?? tool,
      ...(title === undefined || title === tool || unnamed ? {} : { tool }),
      status: statusOf(body),
      ...(input === undefined || input === null ? {} : { input }),
      ...(output === undefined ? {} : { output }),
      ...(at === startedAt ? {} : { duration: Math.max(0, at - slot.began) }),
    };
  }

  function see(event: Event): void {
    const { at, body, from } = event;
    startedAt ??= at;
    place = from[0]?.record ?? place;
    behind = event.behind ?? Number.POSITIVE_INFINITY;
    switch (body.type) {
      case "text-delta":
        return delta("text", at, body);
      case "reasoning-delta":
        return delta("thought", at, body);
      case "reasoning":
        return body.text === "" ? undefined : said("thought", event, body);
      case "message":
        if (isSaid(body)) said("text", event, body);
        else if (body.role === "assistant" && body.parent === undefined) drop("text");
        return;
      case "tool-start":
        calls.set(event.seq, begin(body.since ?? at, body.parent));
        return;
      case "tool-end":
        return toolEnd(event, body);
      case "plan":
        Object.assign(begin(at, body.parent), { by: event, content: { type: "plan", entries: [...(body.entries ?? body.items)] } });
    }
  }

  /** The steps that nothing before them holds back. */
  function ready(isOver: boolean): readonly TrajectoryStep[] {
    const out: TrajectoryStep[] = [];
    let taken = 0;
    for (const slot of waiting) {
      if (!isOver && (slot.place > behind || (slot.content === undefined && slot.dropped === undefined))) break;
      taken++;
      if (slot.content !== undefined && slot.dropped === undefined) out.push(step(slot, slot.content));
    }
    if (taken > 0) waiting = waiting.slice(taken);
    return out.length === 0 ? nothing : out;
  }

  function step({ began, parent, by }: Slot, content: Content): TrajectoryStep {
    latest = Math.max(latest, began - (startedAt ?? began)); // also after a clock was set back
    const whose = parent === undefined ? {} : { subagentId: parent };
    const made = { ...content, timestamp: latest, stepId: `${prefix}-step-${++count}`, ...whose };
    if (by !== undefined) sources.set(made, by);
    return made;
  }

  return {
    push(event) {
      see(event);
      return waiting.length === 0 ? nothing : ready(event.body.type === "run-end");
    },
    end: () => nothing,
    source: (step) => sources.get(step),
  };
}

/** Whether the agent said this for the first time. */
function isSaid({ role, text, repeats }: BodyOf<"message">): boolean {
  return role === "assistant" && text !== "" && repeats !== true;
}

function statusOf({ success, interrupted }: ToolEndBody): "completed" | "failed" | "in_progress" {
  if (interrupted) return "in_progress";
  return success === false ? "failed" : "completed";
}
