import type { Volatile } from "../../pipeline/index.ts";

/** Seen in Pi 0.73.1. */
export const piVolatile: Volatile = { texts: [{ name: "date", text: /(?<=Current date: )\d{4}-\d\d-\d\d/g }] };
