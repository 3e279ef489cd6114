import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { kilo } from "./kilo.ts";
import { ASKS, overProtocol } from "./opencode-acp.ts";

/** The same Kilo, started as an Agent Client Protocol server. */
export const kiloAcp: Pin = {
  ...kilo,
  reportsLastStep: true,
  expect: {
    ...overProtocol.expect,
    overloaded: { errors: ["-32603"] },
    "stream-cut": { errors: ["-32603"] },
    "stream-cut-always": { errors: ["-32603"] },
    "stream-cut-late": { operations: "any", errors: ["-32603"] },
    "subagent-background": { turns: "any", messages: "any" },
    "write-refused": { errors: [] },
  },
  why: {
    ...overProtocol.why,
    "stream-cut-late": "The interrupted call runs in some runs and not in others.",
    "subagent-background": "Over the protocol the turn ends with the main thread's answer, even if the subagent has not reported yet.",
    "write-refused": ASKS,
  },
  program: "kilo",
  inside: "kilo",
  cache: "kilo",
  label: "kilo acp 7.7.7",
  mcp: byOption,
  noise: [...kilo.noise, "history", "error_detail"],
};
