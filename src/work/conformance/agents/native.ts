import { version } from "../../../pure/base/index.ts";
import type { Pin } from "../pin.ts";
import { KEY } from "./key.ts";

/** Our own agent, as it was last built. */
export const native: Pin = {
  package: "harness-recorder",
  version,
  label: `harness ${version}`,
  megabytes: 0,
  isInside: true,
  binary: () => process.execPath,
  environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }),
  files: () => ({}),
  args: () => ["--patience", "2"], // a provider that is always busy
  model: "anthropic/scripted-1",
  mcp: ({ name, command, args }) => ({ options: ["--mcp", `${name}=${[command, ...args].join(" ")}`] }),
  lacks: ["todo", "fetch", "max-budget"],
  showsExitCodes: true,
  showsSubagents: true,
  skillsAreFiles: true,
  counts: ["main", "side", "subagent"],
  countsFailures: true,
  command: (text) => text,
  noise: ["model_failed", "retry"],
  expect: {
    "always-401": { errors: ["http"] },
    "always-429": { errors: ["http"] },
    "always-500": { errors: ["http"] },
    "always-529": { errors: ["http"] },
    "context-overflow": { errors: ["http"] },
    "output-limit": { warnings: ["output_limit"] },
    overloaded: { turns: 1, messages: ["This was said to the end.", "This was said to the end."], usage: "any" },
    "read-only": { operations: [{ read: "README.md" }], unknown: 1 },
    refusal: { errors: ["refusal"] },
    "retry-401": { status: "infrastructure", turns: 1, messages: [], errors: ["http"] },
    "stream-cut": {
      messages: [
        "This sentence is long enough to be cut in the mi",
        "This sentence is long enough to be cut in the middle, and complete the second time.",
      ],
      usage: "any",
    },
    "stream-cut-late": { messages: ["Running it.", "Running it.", "It ran."], usage: "any" },
    "stream-cut-always": { errors: ["stream"], usage: "unknown" },
    "turn-limit": { turns: 2, messages: ["One.", "Two."], errors: ["max_turns"] },
    "write-refused": { unknown: 0 },
  },
  why: {
    "retry-401": "It does not retry a rejected key.",
    overloaded: "It reports the text of a failed answer, not its usage, and asks again.",
    "read-only": "It does not offer a tool that is not allowed.",
    "stream-cut": "It also reports the partial text of an interrupted answer, and not its usage.",
    "stream-cut-late": "It also reports the partial text of an interrupted answer, and not its usage.",
    "stream-cut-always": "It does not report the usage of an interrupted answer.",
    "turn-limit": "It writes a summary when it has used all its turns.",
    "write-refused": "It reports a denial as the end of the call.",
  },
};
