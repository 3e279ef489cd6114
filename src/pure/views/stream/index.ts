export { renderStream } from "./render.ts";
export { STREAM_VERSION, type StreamRecord, stream } from "./view.ts";
