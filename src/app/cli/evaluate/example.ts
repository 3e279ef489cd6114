/** What `harness evaluate --init` writes: it runs without an account. */
export const EXAMPLE = {
  evaluation: `# An evaluation: harness evaluate eval.yaml
# Schema: harness schemas evaluation. Every path is relative to this file.

# The data set: JSON lines, JSON, CSV, YAML, or a directory of task folders.
cases: cases.jsonl

# All graders must pass: exact, contains, regex, json-schema:<file>, command:<line>,
# files:<directory>, llm:<rubric file>, a module (./grade.ts) or an executable.
graders: [contains]

# Trials per case and side. -k replaces it; with --append, missing trials are added.
k: 2

# The seed of samples and of the bootstrap.
seed: 1

# Trials in parallel. Default: the number of cores.
# concurrency: 4

limits:
  timeout: 1m        # per run
  # cost: 5          # US dollars, of the whole evaluation

# What agents can reach: none, process, files, sealed or container:<image>.
# isolation: files

# What is compared. The first side is the baseline.
sides:
  - name: echo
    agent: generic
    command: echo {prompt}
  - name: shout
    agent: generic
    command: sh -c 'echo "$0" | tr a-z A-Z' {prompt}

  # A real agent, and all that a side can set:
  # - name: claude-high
  #   agent: claude
  #   model: opus
  #   effort: high
  #   permissions: full
  #   args: []
  #   env: {ANTHROPIC_API_KEY: null}    # null passes on yours
  #   appendSystemPrompt: {file: prompt.md}
  #   mcp: {docs: {command: npx, args: [docs-server]}}
  #   skills: [./skills/release-notes]
  #   files: {AGENTS.md: ./AGENTS.md}   # laid over the workspace
  #   without: [file:CLAUDE.md]         # left out of it

# Written at the end. Also: .md, .csv, .xml (JUnit), .json, github.
reports: [report.html]
`,
  files: {
    "cases.jsonl": `{"id":"greet","input":"Say hello.","expected":"hello"}
{"id":"loud","input":"Say it in CAPITALS.","expected":"CAPITALS"}
`,
  },
} as const;
