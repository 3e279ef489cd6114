import type { Pin } from "../pin.ts";

/** An MCP server by an option of `harness run`, which hands it over in the protocol. */
export const byOption: NonNullable<Pin["mcp"]> = ({ name, command, args }) => ({
  options: ["--mcp", `${name}=${command} ${args.join(" ")}`],
});
