import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { gemini } from "./gemini.ts";

const ASKS = "Over the protocol it asks, and a refusal is recorded.";
const SILENT = "Over the protocol it does not say why there is no answer.";
const UNTOLD = "Over the protocol such a call is not told.";

/** Gemini CLI as a server of the Agent Client Protocol: the same program. */
export const geminiAcp: Pin = {
  ...gemini,
  program: "gemini",
  inside: "gemini",
  cache: "gemini",
  label: "gemini acp 0.61.0",
  mcp: byOption,
  /** A session that began in the same minute it overwrites when it is to load it. */
  lacks: [...gemini.lacks, "resume"],
  expect: {
    all: { usage: "any" },
    "always-401": { errors: ["401"] },
    "always-429": { errors: ["429"] },
    "always-500": { errors: ["500"] },
    "always-529": { errors: ["529"] },
    "context-overflow": { errors: ["400"] },
    "invalid-json": { errors: [] },
    "odd-characters": { messages: undefined },
    "read-only": { status: "blocked", operations: [{ read: "README.md" }, { write: "notes.txt", success: false }], unknown: 0 },
    refusal: { errors: [] },
    "retry-401": { errors: ["401"] },
    skill: { operations: [{ skill: "greeting" }], unknown: 1 },
    "stream-cut": { errors: ["500"] },
    "stream-cut-always": { errors: ["500"] },
    "stream-cut-late": { errors: ["500"] },
    todo: { calls: {}, unknown: 0 },
    "unknown-tool": { calls: {}, unknown: 0 },
    "write-refused": { status: "blocked", operations: [{ write: "notes.txt", success: false }], unknown: 0 },
  },
  why: {
    all: "Over the protocol it tells the usage of the main thread only, without thoughts, and not what was cached.",
    "invalid-json": SILENT,
    "odd-characters": "Over the protocol escape codes are told as they are.",
    "read-only": ASKS,
    refusal: SILENT,
    skill: "Over the protocol it does not tell what was asked of a call that is wrong.",
    todo: UNTOLD,
    "unknown-tool": UNTOLD,
    "write-refused": ASKS,
  },
  noise: [...gemini.noise, "history"],
};
