import type { Volatile } from "../../pipeline/index.ts";

/** Seen in Claude Code 2.1.325. */
export const claudeVolatile: Volatile = {
  fields: ["metadata.user_id"], // a random device and the session
  texts: [
    { name: "date", text: /(?<=Today's date is )\d{4}-\d\d-\d\d/g },
    { name: "duration", text: /(?<=\bduration_ms: )\d+/g },
    { name: "agent", text: /(?<=\bagent(?:Id|_id): )[0-9a-z]+/gi },
    { name: "agent", text: /(?<=SendMessage with to: ')[0-9a-z]+/g },
    { name: "agent", text: /(?<=\/tasks\/)[0-9a-z]+(?=\.output)/g },
  ],
};
