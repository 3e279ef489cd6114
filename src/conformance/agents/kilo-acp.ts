import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { kilo } from "./kilo.ts";

/** Kilo as a server of the Agent Client Protocol: the same program. */
export const kiloAcp: Pin = {
  ...kilo,
  program: "kilo",
  inside: "kilo",
  cache: "kilo",
  label: "kilo acp 7.7.7",
  mcp: byOption,
  expect: { all: { usage: "any" } },
  why: { all: "Over the protocol it tells the usage of the last step only." },
  noise: [...kilo.noise, "history"],
};
