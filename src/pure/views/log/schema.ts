import { EVENT_VERSION, logRecord } from "../../events/index.ts";
import { rangeRefs } from "../refs.ts";
import { viewSchema } from "../view-schema.ts";

/** `seq` and `callId` are the event's own; `--refs` adds only the byte range. */
export const logSchema = viewSchema({
  name: "log",
  version: EVENT_VERSION,
  title: "Event",
  description: "One inner event. Every other view is built from these. Unset optional fields are left out.",
  shape: logRecord,
  refs: rangeRefs,
});
