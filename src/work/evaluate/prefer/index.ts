export { type PreferenceResult, preferenceResult } from "./judged-pair.ts";
export { type Preferences, type PreferOptions, prefer } from "./prefer.ts";
export type { PreferenceSummary } from "./preference-summary.ts";
