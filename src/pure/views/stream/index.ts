export { STREAM_VERSION, type StreamRecord, stream } from "./view.ts";
