import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { opencode } from "./opencode.ts";

export const ASKS = "Over the protocol it asks for permission, and the denial is recorded.";
const CUT = "Over the protocol the cut text and the next attempt are one message: nothing marks the retry.";
const EARLY = "Over the protocol it reports a call when the call begins.";
const BROKEN = "This sentence is long enough to be cut in the mi";
const COMMAND = { command: "sleep 1; echo begun > started.txt; sleep 60", success: "any" };

/** How OpenCode and its fork differ over the protocol: they report no retries, and their errors are the protocol's. */
export const overProtocol: Required<Pick<Pin, "expect" | "why" | "reportsLastStep">> = {
  reportsLastStep: true,
  expect: {
    all: { warnings: [] },
    "always-401": { errors: ["-32603"] },
    "always-429": { errors: ["-32603"] },
    "always-500": { errors: ["-32603"] },
    "always-529": { errors: ["-32603"] },
    "context-overflow": { status: "completed", errors: [] },
    overloaded: { messages: ["This was said to the end.This was said to the end."] },
    "read-only": { status: "blocked", operations: [{ read: "README.md" }, { write: "notes.txt", success: false }], unknown: 0 },
    refusal: { errors: ["refusal"] },
    "retry-401": { errors: ["-32603"] },
    sigint: { operations: [COMMAND] },
    sigterm: { operations: [COMMAND] },
    "stream-cut": { messages: [`${BROKEN}This sentence is long enough to be cut in the middle, and complete the second time.`] },
    "stream-cut-always": { messages: [{ repeat: BROKEN, times: 6 }], errors: ["-32603"] },
    subagent: { subagents: { started: 1, completed: 1 } },
    "subagent-failed": { subagents: { started: 1, failed: 1 } },
  },
  why: {
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
