export { renderActivity } from "./render.ts";
export { type Activity, activitySchema } from "./schema.ts";
export { activity } from "./view.ts";
