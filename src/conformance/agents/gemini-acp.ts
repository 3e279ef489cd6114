import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { gemini } from "./gemini.ts";

/** Gemini CLI as a server of the Agent Client Protocol: the same program. */
export const geminiAcp: Pin = {
  ...gemini,
  program: "gemini",
  inside: "gemini",
  cache: "gemini",
  label: "gemini acp 0.61.0",
  mcp: byOption,
  expect: { all: { usage: "any" } },
  why: { all: "Over the protocol it tells the usage of the main thread only, without thoughts, and not what was cached." },
  noise: [...gemini.noise, "history"],
};
