import type { ConfigFile } from "../../../host/config/index.ts";

/** A settings file to start from. Every line is a comment, and valid without its `#`. */
export function settingsTemplate(scope: ConfigFile["scope"]): string {
  return scope === "user"
    ? `${HEAD.user}\n${GENERAL}${OWN}\n${AGENT}${OWN_AGENT}\n${MODELS}\n${OWN_TABLES}`
    : `${HEAD.project}\n${GENERAL.replace(/^# model.*\n/m, "")}`;
}

const HEAD = {
  user: `# Your user settings for harness. A harness.toml in or above the working directory wins, value by value;
# flags win over all.
`,
  project: `# Settings for harness in this directory and below. A nearer harness.toml wins, value by value;
# flags win over all.
# Models, programs, arguments, variables and permissions belong in your user settings: harness config init --user
`,
};

const GENERAL = `# agent = "claude"            # see: harness agents
# model = "sonnet"
# permissions = "read-only"
# isolate = "files"           # what the agent can reach: docs/guides/isolate.md
# network = "model"           # what a sealed agent can reach
# timeout = "30m"             # a number is in seconds, 0 means no limit
# idle-timeout = "5m"         # the longest time without output
# view = "activity"
# tags = ["nightly"]
`;

const OWN = `# limit = "memory=4g"         # what a run may use
# secrets = ["DEPLOY_KEY"]    # names of variables whose values are masked in recordings
`;

const AGENT = `# [agents.claude]
# model = "opus"
`;

const OWN_AGENT = `# binary = "~/bin/claude"     # a path, or a name to look for on PATH
# permissions = "default"     # or "full", "read-only"
# args = ["--strict-mcp-config"]
`;

const MODELS = `# [agents.claude.models]      # --model fast
# fast = "claude-haiku-4-5"
`;

const OWN_TABLES = `# [agents.claude.env]
# CLAUDE_CODE_MAX_RETRIES = "3"

# [agents.parrot]             # your own agent: --agent parrot
# file = "~/agents/parrot.mjs"

# [env]                       # for every agent
# NO_COLOR = "1"
`;
