import type { Event, FactBody, Resources } from "../../../pure/events/index.ts";
import type { Launched } from "../../process/index.ts";
import type { KeptView } from "./kept-views.ts";

/** Adds a fact to the recording, after everything recorded so far. */
export type RecordFact = (body: FactBody) => void;

/** Observes a run from outside the agent: adds its findings to the recording, or files to its artifacts. */
export interface Witness {
  /** A directory outside the run, which exists: the views stored there, and copies of the artifacts, are sealed with the run. */
  readonly out?: string;
  readonly views?: readonly KeptView[];
  /** Runs before the agent is started; if it rejects, the agent is not. This time does not count as the agent's. */
  prepare?(record: RecordFact): Promise<void>;
  started?(agent: Launched): void;
  /** Called after the events are on their way to disk. */
  see?(events: readonly Event[], record: RecordFact): void;
  /** Called when the agent's processes are gone and its output is recorded, unless the log broke. */
  readonly end?: {
    /** What the agent used. */
    readonly resources: () => Resources;
    readonly conclude: (record: RecordFact) => Promise<void>;
  };
  /** Called when the agent's processes are gone and its output is recorded, unless the log broke; before the end is recorded. */
  settle?(record: RecordFact): Promise<void>;
  /** Writes files into the run's `artifacts/`, after its last record and before its seal, which covers them. Must not reject. */
  keep?(): Promise<void>;
}
