import type { RecordFact } from "../../host/recording/index.ts";
import { errorWords } from "../../pure/base/index.ts";
import type { Event, FilesChangedBody } from "../../pure/events/index.ts";

/**
 * Takes a snapshot of the workspace after each call that may have changed it, one at a time. Calls that end meanwhile share a snapshot,
 * which names the last of them.
 */
export function turnSnapshots(look: (turn: number, callId: string) => Promise<FilesChangedBody | undefined>) {
  let turn = 0;
  let waiting: string | undefined;
  let working: Promise<void> | undefined;
  let isBroken = false;

  async function work(record: RecordFact): Promise<void> {
    try {
      while (waiting !== undefined) {
        const callId = waiting;
        waiting = undefined;
        const changed = await look(++turn, callId);
        if (changed !== undefined) record(changed);
      }
    } catch (error) {
      isBroken = true;
      record({ type: "warning", code: "snapshot", message: `No more snapshots are taken while the agent runs: ${errorWords(error)}` });
    } finally {
      working = undefined;
    }
  }

  return {
    see(events: readonly Event[], record: RecordFact): void {
      for (const { body, call } of events) if (body.type === "tool-end" && changes(call)) waiting = body.callId;
      if (waiting !== undefined && !isBroken) working ??= work(record);
    },
    /** Resolves when no snapshot is in progress. */
    async settled(): Promise<void> {
      waiting = undefined;
      await working;
    },
  };
}

/** A call with unknown effects may have changed files. */
function changes(call: Event["call"]): boolean {
  const operations = call?.start.body.operations ?? [];
  return operations.length === 0 || operations.some(({ kind }) => kind === "write" || kind === "command");
}
