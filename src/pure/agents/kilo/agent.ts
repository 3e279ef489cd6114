// Kilo Code, seen in 7.7.7: `kilo run --format json`. A fork of OpenCode with the same lines. Evidence: docs/reference/agents/kilo.md.
import type { Agent, Command, Task } from "../../pipeline/index.ts";
import { opencodeCommand, opencodeTools, opencodeWithheld, openOpencode, searchTool, stderrLine, type Tool } from "../opencode/index.ts";
import { opencodeProviders } from "../providers.ts";

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** A running daemon would do the work elsewhere, without our permissions and out of reach of our signals. */
function command(task: Task): Command {
  const { env, ...rest } = opencodeCommand(task, "KILO");
  return { ...rest, env: { ...env, KILO_NO_DAEMON: "1" } };
}

// ── tool table ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** `run` in 7.7.7 has neither; specification 000 lists both. */
const tools = new Map<string, Tool>([...opencodeTools, ["codesearch", searchTool], ["agent_manager", "orchestration"]]);

export const kilo: Agent = {
  id: "kilo",
  title: "Kilo Code",
  aliases: ["kilocode", "kilo-code"],
  binaries: ["kilo", "kilocode"],
  install: "npm install -g @kilocode/cli",
  credentials: ["KILO_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENROUTER_API_KEY"],
  providers: opencodeProviders("KILO"),
  credentialFiles: [".local/share/kilo/auth.json", ".config/kilo/kilo.json"],
  sessionFolders: [".local/share/kilo"],
  seen: "7.7.7",
  terminal: true,
  withheld: opencodeWithheld,
  command,
  open: (run) => openOpencode(run, tools),
  text: (line, stream) => (stream === "stderr" ? stderrLine(line, "error_echo") : undefined),
};
