import { nothing } from "../base/index.ts";
import type { Call, Event, EventBody, ToolStartBody } from "../events/index.ts";
import type { LogRecord } from "../views/index.ts";

/** As many as the event log shows of calls under one id. */
const MOST_RIVALS = 16;

/**
 * The inner events again, from the records of the `log` view with what was `said`: what any other view is made of. The log leaves out only which call
 * an end belongs to, and that follows from the order.
 */
export function eventsOfLog(): (record: LogRecord) => Event {
  const open = new Map<string, { -readonly [K in keyof Call]: Call[K] }>();

  function callOf(body: EventBody): Call | undefined {
    if (body.type === "tool-start") begin(body);
    else if (body.type === "tool-end") {
      const call = open.get(body.callId);
      open.delete(body.callId);
      return call;
    } else if ((body.type === "subagent-start" || body.type === "subagent-end") && body.callId !== undefined) {
      const call = open.get(body.callId);
      if (call !== undefined) call.orchestrated = true;
    }
    return undefined;
  }

  function begin(start: ToolStartBody): void {
    const rival = open.get(start.callId);
    if (rival === undefined) open.set(start.callId, { start, rivals: nothing, orchestrated: false });
    else if (rival.rivals.length < MOST_RIVALS) rival.rivals = [...rival.rivals, start];
  }

  return ({ seq, at, from, provenance, ...rest }) => {
    const body = rest as EventBody;
    return { seq, at, from, provenance, body, call: callOf(body) };
  };
}
