import type { Volatile } from "../../pipeline/index.ts";

/** Seen in Goose 1.52.0. */
export const gooseVolatile: Volatile = {
  texts: [
    { name: "time", text: /(?<=<current-time>)[^<\n]{1,40}/g },
    { name: "session", text: /(?<=Subagent ID: )\d{8}_\d+/g },
  ],
};
