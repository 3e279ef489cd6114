// Kilo Code, as seen in 7.7.7: `kilo run --format json`. docs/reference/agents/kilo.md has the evidence. A fork of OpenCode with the same lines.
import type { Agent, Command, Task } from "../../pipeline/index.ts";
import { opencodeCommand, opencodeTools, openOpencode, searchTool, stderrLine, type Tool } from "../opencode/index.ts";

// ── state: opencode.ts ──────────────────────────────────────────────────────────────────────────────────────────────

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** A daemon that happens to run would do the work elsewhere, without our permissions and past our signals. */
function command(task: Task): Command {
  const { env, ...rest } = opencodeCommand(task, "KILO");
  return { ...rest, env: { ...env, KILO_NO_DAEMON: "1" } };
}

// ── tool table ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Neither is in 7.7.7 as `run` offers it; both are in specification 000. */
const tools = new Map<string, Tool>([...opencodeTools, ["codesearch", searchTool], ["agent_manager", "orchestration"]]);

// ── translation and end: opencode.ts ────────────────────────────────────────────────────────────────────────────────

export const kilo: Agent = {
  id: "kilo",
  title: "Kilo Code",
  aliases: ["kilocode", "kilo-code"],
  binaries: ["kilo", "kilocode"],
  install: "npm install -g @kilocode/cli",
  credentials: ["KILO_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENROUTER_API_KEY"],
  credentialFiles: [".local/share/kilo/auth.json", ".config/kilo/kilo.json"],
  seen: "7.7.7",
  terminal: true,
  command,
  open: (run) => openOpencode(run, tools),
  text: (line, stream) => (stream === "stderr" ? stderrLine(line, "error_echo") : undefined),
};
