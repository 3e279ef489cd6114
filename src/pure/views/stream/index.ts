export { NOT_FROM_A_SESSION_LOG, promptIn, respelled, sessionLogAgent, sessionStartOf } from "./read-session-log.ts";
export { renderStream } from "./render.ts";
export { type StreamRecord, streamSchema } from "./schema.ts";
export { stream } from "./view.ts";
