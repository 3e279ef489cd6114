import { version } from "../../core/version.ts";
import type { Pin } from "../pin.ts";
import { KEY } from "./key.ts";

/** Our own agent: it is whatever was built last. */
export const native: Pin = {
  package: "harness",
  version,
  label: `harness ${version}`,
  megabytes: 0,
  isInside: true,
  binary: () => process.execPath,
  environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }),
  files: () => ({}),
  args: () => [],
  model: "anthropic/scripted-1",
  mcp: ({ name, command, args }) => ({ options: ["--mcp", `${name}=${[command, ...args].join(" ")}`] }),
  lacks: ["todo", "fetch", "max-budget"],
  tellsExitCodes: true,
  showsSubagents: true,
  skillsAreFiles: true,
  counts: ["main", "subagent"],
  countsFailures: true,
  command: (text) => text,
  noise: ["model_failed"],
  expect: {
    "always-401": { errors: ["http"] },
    "always-429": { errors: ["http"] },
    "always-500": { errors: ["http"] },
    "always-529": { errors: ["http"] },
    "context-overflow": { errors: ["http"] },
    "output-limit": { warnings: ["output_limit"] },
    overloaded: { turns: 1, messages: ["This was said to the end."], usage: "any" },
    "read-only": { operations: [{ read: "README.md" }], unknown: 1 },
    refusal: { errors: ["refusal"] },
    "retry-401": { status: "infrastructure", turns: 1, messages: [], errors: ["http"] },
    "stream-cut": { usage: "any" },
    "stream-cut-late": { usage: "any" },
    "stream-cut-always": { errors: ["stream"], usage: "unknown" },
    "turn-limit": { turns: 2, messages: ["One.", "Two."], errors: ["max_turns"] },
    "write-refused": { unknown: 0 },
  },
  why: {
    "retry-401": "A key that is refused is not tried again.",
    "stream-cut": "What an answer that broke off took is not told.",
    "turn-limit": "It sums up when its turns are used up.",
    "write-refused": "A refusal is told as the end of its call.",
  },
};
