import { writeAtomically } from "../../host/files/index.ts";
import { jsonText } from "../../host/recording/index.ts";
import type { CaptureMode, Event, ProcessObservedBody, ProcessStartedBody } from "../../pure/events/index.ts";
import { decision } from "../../pure/views/index.ts";

/**
 * A record of the agent's process next to the events, to check them without the recording: how it began and ended, and when each
 * event was known. Facts are masked before they arrive here.
 */
export function processRecord(runId: string, capture: CaptureMode): { see(events: readonly Event[]): void; write(path: string): void } {
  const view = decision.open();
  const times: Record<string, string> = {};
  let started: ProcessStartedBody | undefined;
  let ended: ProcessObservedBody | undefined;
  let root: string | undefined;
  return {
    see(events) {
      for (const event of events) {
        const { body } = event;
        if (body.type === "workspace-prepared") root = body.root;
        if (body.type === "process-started") started = body;
        if (body.type === "process-observed") ended = body;
        for (const { event_type, timestamp } of view.push(event))
          times[event_type === "commands_observation_unavailable" ? "commands_observed" : event_type] = timestamp;
      }
    },
    write(path) {
      const { type: _, cwd, ...start } = { type: undefined, cwd: undefined, ...started };
      const { type: __, status: ___, ...end } = { type: undefined, status: undefined, ...ended };
      const places = capture === "full" ? { root, cwd } : { root: "workspace", cwd: "workspace" }; // a path may reveal the user's name
      writeAtomically(path, jsonText({ run_id: runId, times, started: { ...start, ...places }, ended: end }));
    },
  };
}
