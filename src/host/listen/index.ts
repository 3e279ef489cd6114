/** Listeners on this machine: who may ask, and how much. */

export type { Refusal } from "./refusal-of.ts";
export { serveHttp } from "./serve-http.ts";
