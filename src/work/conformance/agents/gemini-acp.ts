import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { gemini } from "./gemini.ts";

const ASKS = "Over the protocol it asks for permission, and the denial is recorded.";
const SILENT = "Over the protocol it does not say why it gave no answer, and reports the usage of the last attempt only.";
const UNTOLD = "Over the protocol it does not report the call.";

/** The same Gemini CLI, started as an Agent Client Protocol server. */
export const geminiAcp: Pin = {
  ...gemini,
  program: "gemini",
  inside: "gemini",
  cache: "gemini",
  label: "gemini acp 0.61.0",
  mcp: byOption,
  /** It cannot resume a session that began in the same minute: it overwrites the file it should load. */
  lacks: [...gemini.lacks, "resume"],
  counts: ["main"],
  omits: ["reasoning"],
  expect: {
    "always-401": { errors: ["401"] },
    "always-429": { errors: ["429"] },
    "always-500": { errors: ["500"] },
    "always-529": { errors: ["529"] },
    "context-overflow": { errors: ["400"] },
    "invalid-json": { errors: ["empty_turn"], usage: { input: 100, output: 10 } },
    "odd-characters": { messages: undefined },
    "read-only": {
      status: "blocked",
      operations: [{ read: "README.md" }, { write: "notes.txt", success: false }],
      unknown: 0,
      warnings: [],
    },
    refusal: { errors: ["empty_turn"], usage: { input: 100, output: 1 } },
    "retry-401": { errors: ["401"] },
    skill: { operations: [{ skill: "greeting" }], unknown: 1 },
    "stream-cut": { errors: ["500"] },
    "stream-cut-always": { errors: ["500"] },
    "stream-cut-late": { errors: ["500"] },
    "subagent-failed": { subagents: { started: 1, completed: 1 } },
    todo: { calls: {}, unknown: 0 },
    "unknown-tool": { calls: {}, unknown: 0 },
    "write-refused": { status: "blocked", operations: [{ write: "notes.txt", success: false }], unknown: 0 },
  },
  why: {
    "invalid-json": SILENT,
    "odd-characters": "Over the protocol it reports escape codes verbatim.",
    "read-only": ASKS,
    refusal: SILENT,
    skill: "Over the protocol it does not report the arguments of an invalid call.",
    "subagent-failed": "Over the protocol stderr, which names the failed subagent, may come only when the agent exits.",
    todo: UNTOLD,
    "unknown-tool": UNTOLD,
    "write-refused": ASKS,
  },
  noise: [...gemini.noise, "history", "prompt_id_notice"],
};
