import { exactly, type Static, text, variants } from "../base/index.ts";
import { addition, vocabulary } from "./event.ts";
import { observations } from "./observation.ts";
import type { ExitRecord, LineRecord } from "./record.ts";

/** Something that we did or noticed ourselves, in the place where it happened: it becomes the event it carries. */
export interface FactRecord {
  readonly type: "fact";
  readonly at: number;
  readonly body: FactBody;
}

export type RunRecord = LineRecord | ExitRecord | FactRecord;

const { status: _, ...processObserved } = observations["process-observed"];

/** An event is made of it as it is, so no field may be there that its type does not have. */
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

/** What the recorder has to say, what was decided in the user's place, and what was observed of the agent from outside. */
export type FactBody = Static<typeof fact>;
