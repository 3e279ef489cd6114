import type { RunOptions } from "../../host/recording/index.ts";
import type { Harness, HarnessEvent } from "../../pure/events/index.ts";
import { childOf } from "./with-parent.ts";

/** A task for any agent that can be run and recorded: Claude Code, an ACP agent, your own command. */
export interface RecordedTask extends RunOptions {
  /** The id of its main run among the others. */
  readonly runId?: string;
  readonly parentId?: string;
}

/** A harness on top of `run`: records the agent like any other and yields events of specification 002. */
export function recordedHarness(): Harness<RecordedTask> {
  return {
    async *invoke({ runId, parentId, ...options }) {
      const { run } = await import("../../host/recording/index.ts");
      const rename = renamer(runId);
      let main: string | undefined;
      for await (const event of run({ ...options, view: "conversation" })) {
        const renamed = rename(event);
        main ??= renamed.runId;
        yield parentId === undefined ? renamed : childOf(renamed, main, parentId);
      }
    },
  };
}

/** Two recordings may use the same ids. The main run takes the given id, and the other ids begin with it. */
function renamer(runId: string | undefined): (event: HarnessEvent) => HarnessEvent {
  if (runId === undefined) return (event) => event;
  let main: string | undefined;
  const named = (id: string) => (id === main ? runId : `${runId}/${id}`);
  return (event) => {
    main ??= event.runId;
    const own: Record<string, unknown> = { ...event };
    for (const key of ["runId", "parentId", "id", "toolCallId"]) if (typeof own[key] === "string") own[key] = named(own[key]);
    return own as unknown as HarnessEvent;
  };
}
