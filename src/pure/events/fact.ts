import { exactly, type Static, text, variants } from "../base/index.ts";
import { addition, vocabulary } from "./event.ts";
import { observations } from "./observation.ts";
import type { ExitRecord, LineRecord } from "./record.ts";

/** Something that the recorder did or noticed, recorded when it happened. It becomes the event it carries. */
export interface FactRecord {
  readonly type: "fact";
  readonly at: number;
  readonly body: FactBody;
}

export type RunRecord = LineRecord | ExitRecord | FactRecord;

const { status: _, ...processObserved } = observations["process-observed"];

/** A fact becomes an event unchanged, so undeclared fields are rejected. */
export const fact = exactly(
  variants(
    {
      ...observations,
      "process-observed": processObserved,
      check: { ...observations.check, rule: addition.rule },
      warning: { ...vocabulary.warning, code: text },
      error: { ...vocabulary.error, code: text },
      "permission-decision": { ...vocabulary["permission-decision"], parent: addition.parent },
    },
    {},
  ),
);

/** The recorder's warnings, decisions made for the user, and observations of the agent from outside. */
export type FactBody = Static<typeof fact>;
