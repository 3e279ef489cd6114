/** A variable that an agent does not inherit. A name that ends in `*` stands for all that start like it. */
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
 * What says “you are inside of a session”, changes every program that is started, or points git and npm at something else
 * than the working directory. What configures an agent (`ANTHROPIC_*`, `CLAUDE_CODE_MAX_RETRIES`, `CODEX_HOME`) is not here.
 * Those of Claude Code and Codex were seen in the programs (2.1.325, 0.166.0), the others in sources and in lists of other tools.
 */
export const deniedVariables: readonly DeniedVariable[] = [
  ...because(
    "the session of Claude Code that we are inside of: it refuses to start, keeps no history, or takes the session for its own",
    `CLAUDECODE CLAUDE_CODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SSE_PORT CLAUDE_CODE_SESSION_* CLAUDE_CODE_CHILD_SESSION
    CLAUDE_CODE_BRIDGE_SESSION_ID CLAUDE_CODE_REMOTE_SESSION_ID CLAUDE_CODE_EXECPATH CLAUDE_CODE_INVOKED_SKILLS CLAUDE_CODE_TOOL_USE_ID
    CLAUDE_AGENT_SDK_VERSION CLAUDE_SESSION_ID CLAUDE_PROJECT_DIR CLAUDE_EFFORT CLAUDE_PID`,
  ),
  ...because(
    "names an open file of the Claude Code that we are inside of, which the agent does not have",
    `CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR CLAUDE_CODE_GATEWAY_TOKEN_FILE_DESCRIPTOR
    CLAUDE_CODE_WEBSOCKET_AUTH_FILE_DESCRIPTOR`,
  ),
  ...because(
    "the session of Codex that we are inside of, and its sandbox",
    `CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID CODEX_SESSION_ID CODEX_TOOL_CALL_ID CODEX_CI CODEX_PERMISSION_PROFILE
    CODEX_INTERNAL_ORIGINATOR_OVERRIDE CODEX_MANAGED_BY_* CODEX_MANAGED_PACKAGE_ROOT`,
  ),
  ...because(
    "the process of OpenCode or Kilo that we are inside of",
    `OPENCODE OPENCODE_PID OPENCODE_CLIENT OPENCODE_CALLER OPENCODE_RUN_ID OPENCODE_PROCESS_ROLE OPENCODE_SESSION_ID
    KILO KILO_PID KILO_CLIENT KILO_RUN_ID KILO_PROCESS_ROLE`,
  ),
  ...because(
    "the agent that we are inside of: tools act otherwise under one, and the run would count as its work",
    `AI_AGENT AGENT AGENT_SESSION_ID AMP_CURRENT_THREAD_ID ANTIGRAVITY_AGENT AUGMENT_AGENT CLINE_ACTIVE COPILOT_AGENT COPILOT_CLI CRUSH
    CURSOR_AGENT CURSOR_TRACE_ID GEMINI_CLI GOOSE_TERMINAL PI_CODING_AGENT QWEN_CODE TRAE_AI_SHELL_ID`,
  ),
  ...because(
    "puts code or options into every Node or Bun program, which several agents are",
    "NODE_OPTIONS NODE_INSPECT_RESUME_ON_START NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE NODE_UNIQUE_ID NODE_TEST_CONTEXT BUN_OPTIONS",
  ),
  ...because("makes every shell run a file first, or act otherwise", "BASH_ENV ENV SHELLOPTS BASHOPTS"),
  ...because("loads a library into every program", "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES"),
  ...because("makes an interpreter run code first", "PYTHONSTARTUP PERL5OPT RUBYOPT"),
  ...because(
    "points git at another repository than the working directory's: set inside of a hook or an alias",
    `GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_NAMESPACE GIT_PREFIX
    GIT_IMPLICIT_WORK_TREE GIT_INTERNAL_SUPER_PREFIX GIT_GRAFT_FILE GIT_SHALLOW_FILE GIT_NO_REPLACE_OBJECTS GIT_REPLACE_REF_BASE
    GIT_QUARANTINE_PATH`,
  ),
  ...because(
    "configures git for one command only, and can make it run programs",
    "GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_CONFIG_KEY_* GIT_CONFIG_VALUE_* GIT_EXTERNAL_DIFF",
  ),
  ...because("the npm script that we are inside of, and its package; NPM_CONFIG_* in capitals stays", "npm_* INIT_CWD"),
];
