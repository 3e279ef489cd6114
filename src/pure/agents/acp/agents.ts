// How to start each agent that speaks the Agent Client Protocol. agent.ts reads the output of all of them.
import { type Agent, askedFor, type Command } from "../../pipeline/index.ts";
import { claude } from "../claude/index.ts";
import { codex } from "../codex/index.ts";
import { gemini } from "../gemini/index.ts";
import { goose } from "../goose/index.ts";
import { kilo } from "../kilo/index.ts";
import { opencode, READ_ONLY } from "../opencode/index.ts";
import { acp, UNSUPPORTED } from "./agent.ts";

interface Start {
  readonly args?: readonly string[];
  /** Variables it always needs. `asking` makes it ask for permission if it has no mode for that. */
  readonly env?: Readonly<Record<string, string>>;
  readonly asking?: Readonly<Record<string, string>>;
  /** A tool whose calls cannot be decided. */
  readonly withholds?: NonNullable<Command["withholds"]>;
  /** It asks before every write, which the level `default` denies. */
  readonly level?: true;
  /** Variables that hold it back at `read-only`, if its mode for that does not. */
  readonly reading?: Readonly<Record<string, string>>;
}

/** Starts the agent itself, or an adapter in front of it. */
function speaking(
  base: Agent,
  { args = [], env, asking, withholds, reading, level }: Start,
  program: Pick<Agent, "binaries" | "install" | "seen"> = base,
) {
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
    credentialFiles: base.credentialFiles,
    refreshedFiles: base.refreshedFiles,
    sessionFolders: base.sessionFolders,
    providers: base.providers,
    needs: base.needs && { ...base.needs, level, git: undefined, user: undefined, sandbox: undefined },
    sandboxed: base.sandboxed,
    text: (line, stream) => acp.text?.(line, stream) ?? (stream === "stderr" ? base.text?.(line, stream) : undefined),
    command: (task) => ({
      args: [...args, ...(task.extraArgs ?? [])],
      env: { ...env, ...(task.permissions === "read-only" && reading), ...(task.asked && asking) },
      ...(task.asked && asking && { asks: true }),
      ...(task.asked && withholds && { withholds }),
      resumes: true,
      ignored: askedFor(task, ...UNSUPPORTED, "commandLine"),
    }),
  } satisfies Agent as Agent;
}

/** User settings never contain this key, so the rule comes last, and the last matching rule decides. */
const ASK = '{"?*":"ask"}';

/** A subagent would wait for an answer forever (OpenCode 1.18.33, Kilo 7.7.7). */
const SUBAGENTS = { tool: "task", reason: "what its subagents ask for does not reach the client" };

export const acpAgents = {
  "claude-acp": speaking(
    claude,
    { level: true },
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
    withholds: SUBAGENTS,
    reading: { OPENCODE_PERMISSION: READ_ONLY },
  }),
  "kilo-acp": speaking(kilo, {
    args: ["acp"],
    env: { KILO_DISABLE_AUTOUPDATE: "1", KILO_NO_DAEMON: "1" },
    asking: { KILO_PERMISSION: ASK },
    withholds: SUBAGENTS,
    reading: { KILO_PERMISSION: ASK }, // in its plan mode, rules that deny leave it without any tool (7.7.7)
  }),
  "gemini-acp": speaking(gemini, { args: ["--acp", "--skip-trust"], env: { GEMINI_CLI_NO_RELAUNCH: "true" }, level: true }),
} as const;
