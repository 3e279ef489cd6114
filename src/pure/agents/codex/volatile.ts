import type { Volatile } from "../../pipeline/index.ts";

/** Seen in Codex 0.166.0. */
export const codexVolatile: Volatile = {
  fields: ["client_metadata"], // ids of this installation and this turn, and when it began
  texts: [
    { name: "date", text: /(?<=<current_date>)\d{4}-\d\d-\d\d/g },
    { name: "seconds", text: /(?<=Wall time:? )\d+(?:\.\d+)?(?= seconds)/g },
    { name: "chunk", text: /(?<=Chunk ID: )[0-9a-f]+/g },
  ],
};
