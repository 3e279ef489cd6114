export { renderLog } from "./render.ts";
export { type LogRecord, log } from "./view.ts";
