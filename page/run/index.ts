export { panels } from "./panels.ts";
export { RunHead } from "./run-head.tsx";
