export { renderLog } from "./render.ts";
export { logSchema } from "./schema.ts";
export { log } from "./view.ts";
