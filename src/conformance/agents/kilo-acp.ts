import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { kilo } from "./kilo.ts";
import { overProtocol } from "./opencode-acp.ts";

/** Kilo as a server of the Agent Client Protocol: the same program. */
export const kiloAcp: Pin = {
  ...kilo,
  ...overProtocol,
  program: "kilo",
  inside: "kilo",
  cache: "kilo",
  label: "kilo acp 7.7.7",
  mcp: byOption,
  noise: [...kilo.noise, "history", "error_detail"],
};
