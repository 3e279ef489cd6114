export { type LogRecord, log } from "./view.ts";
