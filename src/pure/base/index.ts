/** Errors, JSON readers, text, paths, amounts, durations: what every other room builds on. */

export {
  bytes,
  clockTime,
  compact,
  counted,
  dollars,
  duration,
  NOT_KNOWN,
  percent,
  percentRange,
  pointRange,
  points,
  probability,
  share,
  whole,
} from "./amounts.ts";
export { base64 } from "./base64.ts";
export { isBomb, isDeep } from "./bomb.ts";
export { clipped } from "./clipped.ts";
export { DURATION_FORM, parseDuration } from "./duration.ts";
export { codeOf, errorWords, HarnessError, type HarnessErrorCode } from "./errors.ts";
export { type FewMap, fewMap } from "./few-map.ts";
export { folded } from "./folded.ts";
export { gitPatch, type PatchFile, type PatchLine } from "./git-patch.ts";
export { couldBeLike, isExactlyLike, isLike, isPathLike, partsOf } from "./glob.ts";
export {
  arrayOf,
  copied,
  firstNumber,
  firstWord,
  isObject,
  isShallow,
  type JsonObject,
  MAX_DEPTH,
  names,
  numberNamed,
  numberOf,
  objectOf,
  parseJson,
  parseObject,
  shallow,
  spelled,
  stringOf,
  TOO_DEEP,
  without,
  wordNamed,
  wordOf,
} from "./json.ts";
export { jsonLines, parseJsonLines } from "./json-lines.ts";
export { lineDiff, type Region } from "./line-diff.ts";
export { markup, xmlText } from "./markup.ts";
export {
  keyVariables,
  type ModelAccess,
  type ModelAddress,
  mainKeys,
  modelAddress,
  type ProviderAddress,
  providerAddress,
  providers,
  reachable,
} from "./model-address.ts";
export { namedOrSuggest, nearest } from "./named.ts";
export { outputSummary } from "./output-summary.ts";
export { isAbsolute, resolvePath } from "./path.ts";
export { printable, printableJson } from "./printable.ts";
export { isTransientStatus, retryAfter } from "./retry-after.ts";
export { type Schema, schema } from "./schema.ts";
export {
  anyObject,
  anything,
  count,
  described,
  either,
  epochMs,
  exactly,
  type Fields,
  type Flaw,
  fits,
  flag,
  flawOf,
  integer,
  isoTime,
  leaf,
  list,
  matching,
  named,
  nullable,
  number,
  type ObjectOf,
  type OneOf,
  object,
  oneOf,
  optional,
  ordinal,
  type Shape,
  type Static,
  text,
  union,
  type Variant,
  valuesOf,
  variants,
  versionLike,
  yes,
} from "./shape.ts";
export { inQuotes, shellLine } from "./shell-line.ts";
export { tailKeeper } from "./tail.ts";
export { clip, clipStart, columnsOf, notes, oneLine, wrap } from "./text.ts";
export { type Table, textTable } from "./text-table.ts";
export { textTail } from "./text-tail.ts";
export { nothing, type Translator } from "./translator.ts";
export { translation, version } from "./version.ts";
