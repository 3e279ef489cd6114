export { type Capture, captureRecord, captureSchema, promptInput } from "./schema.ts";
export { capture } from "./view.ts";
