/** A scripted model that speaks four wire protocols and keeps a ledger. */

export { entriesOf, type Field, itemsOf, keysOf, required, stringOf } from "./field.ts";
export type { LedgerEntry } from "./ledger.ts";
export { ledgerFile } from "./ledger-file.ts";
export { loadScenarios } from "./load-scenarios.ts";
export { readModelScenario } from "./read-model-scenario.ts";
export { serveModel } from "./serve-model.ts";
export { yamlField } from "./yaml-field.ts";
