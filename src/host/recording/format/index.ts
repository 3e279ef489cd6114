export { removeAbandonedStarts } from "./abandoned-starts.ts";
export { type DataDirectory, dataDirectory, dataDirectoryAt, ensurePrivate } from "./data-directory.ts";
export { dataOfRun, findOwnRun, findRun, isRunDirectory, lookUp, runIds } from "./find-run.ts";
export { findFingerprints, fingerprintsOf } from "./fingerprints.ts";
export { isFactBody } from "./is-fact-body.ts";
export { isRemembered, rememberModule } from "./known-modules.ts";
export { lineRecorder } from "./line-recorder.ts";
export { CHAIN_START, isLinked, type RecordChain, recordChain, type StoredFact, type StoredLine } from "./record-chain.ts";
export { recordLines, type StoredText } from "./record-lines.ts";
export { isRunId, newRunId } from "./run-id.ts";
export { type IndexEntry, type RunIndex, readIndex, runIndex } from "./run-index.ts";
export {
  digestOf,
  type FileSeal,
  MANIFEST_VERSION,
  manifestIn,
  type PromptBy,
  type RunManifest,
  readManifest,
  type Seal,
  type Truncation,
} from "./run-manifest.ts";
export { decisionPath, OUTPUT_FILES, type RunPaths, runPaths, sessionPaths } from "./run-paths.ts";
export { type Damage, type Piece, type Place, runReader } from "./run-reader.ts";
export { holds, isFileAt, sealOfFile } from "./seal-of-file.ts";
export { createSpoolFile, openSpool, type Spool } from "./spool.ts";
export { storedRecordOf } from "./stored-record.ts";
