import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { kilo } from "./kilo.ts";
import { ASKS, overProtocol } from "./opencode-acp.ts";

/** Kilo as a server of the Agent Client Protocol: the same program. */
export const kiloAcp: Pin = {
  ...kilo,
  expect: {
    ...overProtocol.expect,
    overloaded: { messages: "any", errors: ["-32603"] },
    "stream-cut": { messages: "any", errors: ["-32603"] },
    "stream-cut-late": { operations: "any", errors: ["-32603"] },
    "subagent-background": { turns: "any", messages: "any" },
    "write-refused": { errors: [] },
  },
  why: {
    ...overProtocol.why,
    "stream-cut-late": "Whether the call that was cut off still runs differs from run to run.",
    "subagent-background":
      "Over the protocol the turn is over when the main thread has answered, whether or not the subagent has reported.",
    "write-refused": ASKS,
  },
  program: "kilo",
  inside: "kilo",
  cache: "kilo",
  label: "kilo acp 7.7.7",
  mcp: byOption,
  noise: [...kilo.noise, "history", "error_detail"],
};
