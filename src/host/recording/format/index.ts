export { removeAbandonedStarts } from "./abandoned-starts.ts";
export { boundedFact, isTooLong } from "./bounded-fact.ts";
export { damageNotice } from "./damage-notice.ts";
export { type DataDirectory, dataDirectory, dataDirectoryAt, ensurePrivate } from "./data-directory.ts";
export { dataOfRun, findOwnRun, findOwnRuns, findRun, isRunDirectory, lookUp, runIds } from "./find-run.ts";
export { findFingerprints, fingerprintsOf } from "./fingerprints.ts";
export { manifestFlaw } from "./is-manifest.ts";
export { isRemembered, rememberModule } from "./known-modules.ts";
export { lineRecorder } from "./line-recorder.ts";
export { digestOf, manifestIn, readManifest } from "./read-manifest.ts";
export {
  CHAIN_START,
  chainedLine,
  isLinked,
  type RecordChain,
  recordChain,
  type SafeFact,
  type StoredFact,
  type StoredLine,
} from "./record-chain.ts";
export { LONGEST_FACT, LONGEST_RECORD, recordLines, type StoredText } from "./record-lines.ts";
export { ID_FORM, isIdAt, isRunId, newRunId } from "./run-id.ts";
export { type IndexEntry, type RunIndex, readIndex, runIndex } from "./run-index.ts";
export { type FileSeal, MANIFEST_VERSION, type PromptBy, type RunManifest, type Seal, type Truncation } from "./run-manifest.ts";
export { addToOrder } from "./run-order.ts";
export { OUTPUT_FILES, type RunPaths, runPaths, sessionPaths } from "./run-paths.ts";
export { type Damage, type Piece, type Place, runReader } from "./run-reader.ts";
export { holds, isFileAt, sealOfFile } from "./seal-of-file.ts";
export { createSpoolFile, openSpool, type Spool } from "./spool.ts";
export { moment, runEnd, storedRecordOf } from "./stored-record.ts";
