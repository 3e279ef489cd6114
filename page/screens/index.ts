export type { Screen } from "./screen.ts";
export { oneRun, screens } from "./screens.ts";
