import type { View } from "../../../pure/pipeline/index.ts";
import { activity, decision, stream } from "../../../pure/views/index.ts";

/** The views that are written with a run, each into its file; `name` is what the seal calls that. The last one only of an observed run. */
export const keptViews: readonly { readonly name: string; readonly file: "events" | "session" | "decision"; readonly view: View }[] = [
  { name: "events.jsonl", file: "events", view: activity },
  { name: "session.ndjson", file: "session", view: stream },
  { name: "out/events.jsonl", file: "decision", view: decision },
];
