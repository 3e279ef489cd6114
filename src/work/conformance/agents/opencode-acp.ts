import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { opencode } from "./opencode.ts";

export const ASKS = "Over the protocol it asks for permission, and the denial is recorded.";
const CUT = "Over the protocol it has already reported the cut text when it retries, in the same message.";
const EARLY = "Over the protocol it reports a call when the call begins.";
const COMMAND = { command: "sleep 1; echo begun > started.txt; sleep 60", success: "any" };

/** How OpenCode and its fork differ over the protocol: they report no retries, and their errors are the protocol's. */
export const overProtocol: Required<Pick<Pin, "expect" | "why">> = {
  expect: {
    all: { usage: "any", warnings: [] },
    "always-401": { errors: ["-32603"] },
    "always-429": { errors: ["-32603"] },
    "always-500": { errors: ["-32603"] },
    "always-529": { errors: ["-32603"] },
    "context-overflow": { status: "completed", errors: [] },
    overloaded: { messages: "any" },
    "read-only": { status: "blocked", operations: [{ read: "README.md" }, { write: "notes.txt", success: false }], unknown: 0 },
    refusal: { errors: [] },
    "retry-401": { errors: ["-32603"] },
    sigint: { operations: [COMMAND] },
    sigterm: { operations: [COMMAND] },
    "stream-cut": { messages: "any" },
    "stream-cut-always": { messages: "any", errors: ["-32603"] },
    subagent: { subagents: { started: 1, completed: 1 } },
    "subagent-failed": { subagents: { started: 1, failed: 1 } },
  },
  why: {
    all: "Over the protocol it reports only the last step's usage.",
    "context-overflow": "Over the protocol it does not say that the conversation was too long.",
    overloaded: CUT,
    "read-only": ASKS,
    sigint: EARLY,
    sigterm: EARLY,
    "stream-cut": CUT,
    "stream-cut-always": CUT,
    subagent: EARLY,
    "subagent-failed": EARLY,
  },
};

/** The same OpenCode, started as an Agent Client Protocol server. */
export const opencodeAcp: Pin = {
  ...opencode,
  ...overProtocol,
  program: "opencode",
  inside: "opencode",
  cache: "opencode",
  label: "opencode acp 1.18.33",
  mcp: byOption,
  noise: [...opencode.noise, "history", "error_detail"],
};
