export { renderActivity } from "./render.ts";
export { ACTIVITY_VERSION, type Activity, activity } from "./view.ts";
