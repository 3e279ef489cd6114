// The six effects that an agent tries to have, and the script that asks for them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const effects = ["write", "edit", "command", "mcp", "fetch", "subagent"] as const;

export type Effect = (typeof effects)[number];

/** What is left when the agent is gone. */
export interface Evidence {
  readonly workspace: string;
  /** Written by the MCP server, one line per call. */
  readonly mcpLog: string;
  /** How many connections the page's server got. */
  readonly connections: () => number;
}

export const MARKER = "permissions";
const OLD = "A needle in the readme.";

/** Every workspace has a file to edit. */
export const files = { "README.md": `# demo\n\n${OLD}\n` };

/** Whether it happened: in the workspace, or at the server that it reached. The agent's own report is not asked. */
export function hasHappened(effect: Effect, { workspace, mcpLog, connections }: Evidence): boolean {
  switch (effect) {
    case "write":
      return existsSync(join(workspace, "written.txt"));
    case "edit":
      return readFileSync(join(workspace, "README.md"), "utf8") !== files["README.md"];
    case "command":
      return existsSync(join(workspace, "commanded.txt"));
    case "mcp":
      return existsSync(mcpLog);
    case "fetch":
      return connections() > 0;
    case "subagent":
      return existsSync(join(workspace, "delegated.txt"));
  }
}

/** A script for the model: a turn or more per effect, and an answer. `turnOf` is the first turn of an effect. */
export interface Script {
  readonly scenario: object;
  readonly turnOf: ReadonlyMap<Effect, number>;
}

/**
 * Claude Code shows the tool that fetches only to a model that searches for it. Codex does not wait for its subagents: the model takes its
 * time instead.
 */
export function scriptOf(wanted: readonly Effect[], page: string, agent: string): Script {
  const search = [{ name: "ToolSearch", input: { query: "select:WebFetch", max_results: 5 } }];
  const before: Partial<Record<Effect, readonly object[]>> = {
    edit: [{ read: "README.md" }], // most agents edit only what they have read
    ...(agent === "claude" && { fetch: search }),
  };
  const calls: Readonly<Record<Effect, object>> = {
    write: { write: { path: "written.txt", content: "text\n" } },
    edit: { edit: { path: "README.md", old: OLD, new: "A pin in the readme." } },
    command: { run: "echo text > commanded.txt" },
    mcp: { mcp: { server: "demo", tool: "echo", input: { text: "hello" } } },
    fetch: { fetch: page },
    subagent: { agent: `Write the file. [[${MARKER}/helper]]` },
  };
  const turns: object[] = [];
  const turnOf = new Map<Effect, number>();
  for (const effect of wanted) {
    turnOf.set(effect, turns.length);
    if (before[effect] !== undefined) turns.push({ tools: before[effect] });
    turns.push({ tools: [calls[effect]] });
  }
  turns.push({ text: "That is what I could do.", ...(agent === "codex" && { delay: "6s" }) });
  const report = "I tried to write it.";
  const helper = {
    turns: [{ tools: [{ write: { path: "delegated.txt", content: "text\n" } }] }, { text: report, tools: [{ report }] }],
  };
  return { scenario: { marker: MARKER, turns, subagents: { helper } }, turnOf };
}
