/** A variable that agents do not inherit. A name that ends in `*` covers every name with that prefix. */
export interface DeniedVariable {
  readonly name: string;
  readonly reason: string;
}

function because(reason: string, names: string): readonly DeniedVariable[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => ({ name, reason }));
}

/**
 * Variables that say "you are inside a session", that change every program, or that point git and npm away from the working directory.
 * Variables that configure an agent (`ANTHROPIC_*`, `CLAUDE_CODE_MAX_RETRIES`, `CODEX_HOME`) are not listed. Those of Claude Code and Codex
 * were seen in the programs (2.1.325, 0.166.0), the others in sources and in lists of other tools.
 */
export const deniedVariables: readonly DeniedVariable[] = [
  ...because(
    "marks the Claude Code session we run in: a nested one refuses to start, keeps no history or reuses that session",
    `CLAUDECODE CLAUDE_CODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SSE_PORT CLAUDE_CODE_SESSION_* CLAUDE_CODE_CHILD_SESSION
    CLAUDE_CODE_BRIDGE_SESSION_ID CLAUDE_CODE_REMOTE_SESSION_ID CLAUDE_CODE_EXECPATH CLAUDE_CODE_INVOKED_SKILLS CLAUDE_CODE_TOOL_USE_ID
    CLAUDE_AGENT_SDK_VERSION CLAUDE_SESSION_ID CLAUDE_PROJECT_DIR CLAUDE_EFFORT CLAUDE_PID`,
  ),
  ...because(
    "names a file descriptor of the Claude Code we run in, which the agent does not have",
    `CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR CLAUDE_CODE_GATEWAY_TOKEN_FILE_DESCRIPTOR
    CLAUDE_CODE_WEBSOCKET_AUTH_FILE_DESCRIPTOR`,
  ),
  ...because(
    "marks the Codex session we run in, and its sandbox",
    `CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID CODEX_SESSION_ID CODEX_TOOL_CALL_ID CODEX_CI CODEX_PERMISSION_PROFILE
    CODEX_INTERNAL_ORIGINATOR_OVERRIDE CODEX_MANAGED_BY_* CODEX_MANAGED_PACKAGE_ROOT`,
  ),
  ...because(
    "marks the OpenCode or Kilo process we run in",
    `OPENCODE OPENCODE_PID OPENCODE_CLIENT OPENCODE_CALLER OPENCODE_RUN_ID OPENCODE_PROCESS_ROLE OPENCODE_SESSION_ID
    KILO KILO_PID KILO_CLIENT KILO_RUN_ID KILO_PROCESS_ROLE`,
  ),
  ...because(
    "marks the agent we run in: tools behave differently inside an agent, and the run would count as its work",
    `AI_AGENT AGENT AGENT_SESSION_ID AMP_CURRENT_THREAD_ID ANTIGRAVITY_AGENT AUGMENT_AGENT CLINE_ACTIVE COPILOT_AGENT COPILOT_CLI CRUSH
    CURSOR_AGENT CURSOR_TRACE_ID GEMINI_CLI GOOSE_TERMINAL PI_CODING_AGENT QWEN_CODE TRAE_AI_SHELL_ID`,
  ),
  ...because(
    "adds code or options to every Node or Bun program, and several agents are one",
    "NODE_OPTIONS NODE_INSPECT_RESUME_ON_START NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE NODE_UNIQUE_ID NODE_TEST_CONTEXT BUN_OPTIONS",
  ),
  ...because("makes every shell run a file first, or behave differently", "BASH_ENV ENV SHELLOPTS BASHOPTS"),
  ...because("loads a library into every program", "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES"),
  ...because("makes an interpreter run code first", "PYTHONSTARTUP PERL5OPT RUBYOPT"),
  ...because(
    "points git at a different repository; set inside a hook or an alias",
    `GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_NAMESPACE GIT_PREFIX
    GIT_IMPLICIT_WORK_TREE GIT_INTERNAL_SUPER_PREFIX GIT_GRAFT_FILE GIT_SHALLOW_FILE GIT_NO_REPLACE_OBJECTS GIT_REPLACE_REF_BASE
    GIT_QUARANTINE_PATH`,
  ),
  ...because(
    "configures git for a single command, and can make it run programs",
    "GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_CONFIG_KEY_* GIT_CONFIG_VALUE_* GIT_EXTERNAL_DIFF",
  ),
  ...because("describes the npm script we run in, and its package; NPM_CONFIG_* in capitals stays", "npm_* INIT_CWD"),
];
