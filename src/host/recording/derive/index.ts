export { decode } from "./decode.ts";
export { type Derivation, type DeriveOptions, derive, findView, type OutputOf, oneByOne } from "./derive.ts";
export { deriveRun, evaluatedOf, eventsOfRun, infoOf, runInfoOf } from "./derive-run.ts";
export { deriveSessionLog, isSessionLog } from "./derive-session-log.ts";
export { beginningOf, type Explanation, explain, explainByAll, type UnknownKind } from "./explain.ts";
export { damagedRow, rowOfRun } from "./row-of-run.ts";
export { withinMemory } from "./within-memory.ts";
