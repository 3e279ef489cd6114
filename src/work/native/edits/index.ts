export { applyHunks, type HunkChange } from "./apply-hunks.ts";
export { type Hunk, type PatchPart, parsePatch } from "./parse-patch.ts";
export { replacePassage } from "./replace-passage.ts";
export { type Line, linesOf, readText, type TextFile, textBytes } from "./text-file.ts";
