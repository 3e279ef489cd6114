import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { goose } from "./goose.ts";

/** The same Goose, started as an Agent Client Protocol server. */
export const gooseAcp: Pin = {
  ...goose,
  program: "goose",
  inside: "goose",
  cache: "goose",
  label: "goose acp 1.52.0",
  environment: (url) => ({ ...goose.environment(url), GOOSE_MODEL: "scripted-model" }),
  model: undefined,
  mcp: byOption,
  lacks: [...goose.lacks, "todo", "append-system-prompt", "max-turns"],
  counts: ["main", "subagent"],
  reportsLastStep: true,
  expect: {
    "always-401": { warnings: [], errors: ["-32000"] },
    "retry-401": { warnings: [], errors: ["-32000"] },
    "context-overflow": { errors: ["empty_turn"], unknown: 0, usage: "unknown" },
    "read-only": { status: "blocked", operations: [{ read: "README.md" }, { write: "notes.txt", success: false }], unknown: 0 },
    "write-refused": {
      turns: undefined,
      messages: undefined,
      operations: [{ write: "notes.txt", success: false }],
      errors: [],
      unknown: 0,
      usage: undefined,
    },
  },
  why: {
    "context-overflow": "Over the protocol it does not report the usage of its summary, only an estimate of the context.",
    "read-only": "Over the protocol it asks for permission, and the denial is recorded.",
    "write-refused": "Over the protocol it asks for permission, and the denial is recorded.",
  },
  noise: [...goose.noise, "history"],
};
