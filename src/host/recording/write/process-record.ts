import type { Event, ObservationBody, ProcessObservedBody, ProcessStartedBody, WorkspaceBody } from "../../../pure/events/index.ts";
import { decision } from "../../../pure/views/index.ts";
import { writeAtomically } from "../../files/index.ts";
import { recorded } from "../../sink/index.ts";
import { jsonText } from "./run-directory.ts";

/** The times, the start and the end of the agent's process, in the directory of a run and of its observation. */
export const PROCESS_FILE = "artifacts/process.json";

export interface ProcessRecord {
  see(events: readonly Event[]): void;
  write(path: string): void;
}

/**
 * A record of the agent's process next to the events, to check them without the recording: how it began and ended, and when each
 * event was known. Facts are masked before they arrive here. `isLate`: the recorder died, so some observations may be missing.
 */
export function processRecord(runId: string, { isLate = false }: { readonly isLate?: boolean } = {}): ProcessRecord {
  const view = decision.open();
  const times: Record<string, string> = {};
  let observation: ObservationBody | undefined;
  let workspace: WorkspaceBody | undefined;
  let started: ProcessStartedBody | undefined;
  let ended: ProcessObservedBody | undefined;
  return {
    see(events) {
      for (const event of events) {
        const { body } = event;
        if (body.type === "observation") observation = body;
        if (body.type === "workspace-prepared") workspace = body;
        if (body.type === "process-started") started = body;
        if (body.type === "process-observed") ended = body;
        for (const { event_type, timestamp } of view.push(event))
          times[event_type === "commands_observation_unavailable" ? "commands_observed" : event_type] = timestamp;
      }
    },
    write(path) {
      const { run_finished: _, ...known } = times; // is written before the last event is known
      const { type: __, cwd, ...start } = { type: undefined, cwd: undefined, ...started };
      const { type: ___, status: ____, ...end } = { type: undefined, status: undefined, ...ended };
      const shown = (place: string | undefined) => (observation?.capture === "full" ? place : place && "workspace"); // may reveal the user's name
      const places = { root: shown(workspace?.root), cwd: shown(cwd) };
      const about = { run_id: runId, ...(isLate && { late: true }), times: known, started: { ...start, ...places }, ended: end };
      writeAtomically(path, recorded(jsonText(about)));
    },
  };
}
