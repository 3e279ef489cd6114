import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { opencode } from "./opencode.ts";

/** OpenCode as a server of the Agent Client Protocol: the same program. */
export const opencodeAcp: Pin = {
  ...opencode,
  program: "opencode",
  inside: "opencode",
  cache: "opencode",
  label: "opencode acp 1.18.33",
  mcp: byOption,
  expect: { all: { usage: "any" } },
  why: { all: "Over the protocol it tells the usage of the last step only." },
  noise: [...opencode.noise, "history"],
};
