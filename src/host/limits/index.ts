/** Limits on what a run may use: memory, processes, file size, workspace size and processor time. */

export { limitedLauncher } from "./limited-launcher.ts";
export { LIMIT_FORM, parseResourceLimits, type ResourceLimits, resourceLimits } from "./resource-limits.ts";
