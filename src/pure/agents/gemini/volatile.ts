import type { Volatile } from "../../pipeline/index.ts";

/** Seen in Gemini CLI 0.61.0. */
export const geminiVolatile: Volatile = {
  texts: [{ name: "date", text: /(?<=Today's date is )\w+, \w+ \d{1,2}, \d{4}/g }],
};
