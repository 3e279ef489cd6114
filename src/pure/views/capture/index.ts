export { type Capture, captureRecord, captureSchema, promptInput } from "./schema.ts";
export { capture, captureParts } from "./view.ts";
