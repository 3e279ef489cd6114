import { fewMap, nothing } from "../base/index.ts";
import type { BodyOf, Call, Event, EventBody, ToolStartBody } from "../events/index.ts";

type OpenCall = { -readonly [K in keyof Call]: Call[K] };

/** The most open calls kept under one id. They cannot be distinguished, so more add nothing. */
const MOST_RIVALS = 16;

/** Pairs the ends of tool calls with their starts. */
export function openCalls() {
  const open = fewMap<string, OpenCall>();
  const late = new Set<string>(); // calls that an error ended before they ended themselves

  return {
    /** Whether the request was printed before. */
    isKnown(body: ToolStartBody): boolean {
      const rival = open.get(body.callId);
      return rival !== undefined && isSameRequest(rival.start.body, body);
    },
    start(start: Event<"tool-start">): void {
      const { callId } = start.body;
      if (late.size > 0) late.delete(callId);
      const rival = open.get(callId);
      if (rival === undefined) open.set(callId, { start, rivals: nothing, orchestrated: false });
      else if (rival.rivals.length < MOST_RIVALS) rival.rivals = [...rival.rivals, start];
    },
    /** A copy, because the call may still change. */
    named(callId: string | undefined, orchestrates = false): Call | undefined {
      const call = callId === undefined ? undefined : open.get(callId);
      if (call === undefined) return undefined;
      if (orchestrates) call.orchestrated = true;
      return { ...call };
    },
    startOf: (callId: string): ToolStartBody | undefined => open.get(callId)?.start.body,
    end(callId: string): Call | undefined {
      const call = open.get(callId);
      if (call !== undefined) open.delete(callId);
      return call;
    },
    /** Whether an error had already ended the call; true once. */
    isLate: (callId: string): boolean => late.size > 0 && late.delete(callId),
    willBeLate(callId: string): void {
      late.add(callId);
    },
    /** The inner calls first. */
    ids: (): readonly string[] => [...open.keys()].reverse(),
    size: () => open.size(),
  };
}

/** The event in place of an end that comes after an error had already ended the call. */
export function lateEnd({ callId, parent, output }: BodyOf<"tool-end">): EventBody {
  return { type: "tool-progress", callId, message: output, state: "ended-late", parent };
}

function isSameRequest(one: ToolStartBody, other: ToolStartBody): boolean {
  return one.tool === other.tool && JSON.stringify([one.input, one.operations]) === JSON.stringify([other.input, other.operations]);
}
