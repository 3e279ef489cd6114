import { goose } from "./goose.mjs";

/** Goose as a server of the Agent Client Protocol: the same program. */
export const gooseAcp = {
  ...goose,
  program: "goose",
  inside: "goose",
  cache: "goose",
  label: "goose acp 1.52.0",
  environment: (url) => ({ ...goose.environment(url), GOOSE_MODEL: goose.model }),
  model: undefined,
  mcp: ({ name, command, args }) => ({ options: ["--mcp", `${name}=${command} ${args.join(" ")}`] }),
  lacks: [...goose.lacks, "todo", "append-system-prompt", "max-turns"],
  expect: {
    all: { usage: "any" }, // it tells those of the last step only
    "always-401": { errors: ["-32000"] },
    "retry-401": { errors: ["-32000"] },
    "context-overflow": { errors: [] }, // it says nothing at all
    "output-limit": { status: "failed" },
    "read-only": { status: "blocked", operations: [{ read: "README.md" }, { write: "notes.txt", success: false }], unknown: 0 },
    "write-refused": {
      turns: undefined,
      messages: undefined,
      operations: [{ write: "notes.txt", success: false }],
      errors: [],
      unknown: 0,
    },
  },
};
