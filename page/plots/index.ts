export { Activity } from "./activity.tsx";
export { Usage } from "./usage.tsx";
export { useUsage } from "./use-usage.ts";
export { Waterfall } from "./waterfall.tsx";
