export { renderStream } from "./render.ts";
export { type StreamRecord, streamSchema } from "./schema.ts";
export { stream } from "./view.ts";
