// Agents that speak the Agent Client Protocol, by name: how each is started. What they say is read as acp.ts has it.
import { type Agent, askedFor } from "../../pipeline/index.ts";
import { claude } from "../claude/index.ts";
import { codex } from "../codex/index.ts";
import { gemini } from "../gemini/index.ts";
import { goose } from "../goose/index.ts";
import { kilo } from "../kilo/index.ts";
import { opencode } from "../opencode/index.ts";
import { acp, UNSAYABLE } from "./agent.ts";

interface Start {
  readonly args?: readonly string[];
  /** What it needs in its environment; `asking` makes it ask before it does anything, where no mode of its own does. */
  readonly env?: Readonly<Record<string, string>>;
  readonly asking?: Readonly<Record<string, string>>;
}

/** The agent itself, or a program that stands in front of it. */
function speaking(base: Agent, { args = [], env, asking }: Start, program: Pick<Agent, "binaries" | "install" | "seen"> = base) {
  const { binaries, install, seen } = program;
  const id = `${base.id}-acp`;
  return {
    ...acp,
    id,
    title: `${base.title} (ACP)`,
    aliases: undefined,
    binaries,
    install,
    seen,
    credentials: base.credentials,
    text: (line, stream) => acp.text?.(line, stream) ?? (stream === "stderr" ? base.text?.(line, stream) : undefined),
    command: (task) => ({
      args: [...args, ...(task.extraArgs ?? [])],
      env: { ...env, ...(task.asked && asking) },
      ...(task.asked && asking && { asks: true }),
      resumes: true,
      ignored: askedFor(task, ...UNSAYABLE, "commandLine"),
    }),
  } satisfies Agent as Agent;
}

/** A key that nobody's own settings have: it stands behind them, and the last rule that matches decides. */
const ASK = JSON.stringify({ "?*": "ask" });

export const acpAgents = {
  "claude-acp": speaking(
    claude,
    {},
    {
      binaries: ["claude-agent-acp", "claude-code-acp"],
      install: "npm install -g @agentclientprotocol/claude-agent-acp",
      seen: "0.99.0",
    },
  ),
  "codex-acp": speaking(
    codex,
    {},
    {
      binaries: ["codex-acp"],
      install: "npm install -g @agentclientprotocol/codex-acp",
      seen: "2.6.0",
    },
  ),
  "goose-acp": speaking(goose, { args: ["acp", "--with-builtin", "developer"] }),
  "opencode-acp": speaking(opencode, {
    args: ["acp"],
    env: { OPENCODE_DISABLE_AUTOUPDATE: "1" },
    asking: { OPENCODE_PERMISSION: ASK },
  }),
  "kilo-acp": speaking(kilo, {
    args: ["acp"],
    env: { KILO_DISABLE_AUTOUPDATE: "1", KILO_NO_DAEMON: "1" },
    asking: { KILO_PERMISSION: ASK },
  }),
  "gemini-acp": speaking(gemini, { args: ["--acp", "--skip-trust"], env: { GEMINI_CLI_NO_RELAUNCH: "true" } }),
} as const;
