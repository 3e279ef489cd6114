import type { Volatile } from "../../pipeline/index.ts";

/** Seen in OpenCode 1.18.33. */
export const opencodeVolatile: Volatile = {
  texts: [
    { name: "date", text: /(?<=Today's date: )\w{3} \w{3} \d\d \d{4}/g },
    { name: "session", text: /\b(?:ses|msg|prt|tool)_[0-9a-zA-Z]{20,40}\b/g },
  ],
};
