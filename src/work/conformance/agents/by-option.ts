import type { Pin } from "../pin.ts";

/** Passes an MCP server to `harness run` as an option; the protocol carries it to the agent. */
export const byOption: NonNullable<Pin["mcp"]> = ({ name, command, args }) => ({
  options: ["--mcp", `${name}=${command} ${args.join(" ")}`],
});
