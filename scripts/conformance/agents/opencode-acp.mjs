import { opencode } from "./opencode.mjs";

/** OpenCode as a server of the Agent Client Protocol: the same program. */
export const opencodeAcp = {
  ...opencode,
  program: "opencode",
  inside: "opencode",
  cache: "opencode",
  label: "opencode acp 1.18.33",
  mcp: ({ name, command, args }) => ({ options: ["--mcp", `${name}=${command} ${args.join(" ")}`] }),
  expect: {
    all: { usage: "any" }, // it tells those of the last step only
  },
};
