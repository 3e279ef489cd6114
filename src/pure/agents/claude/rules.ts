// Permission rules for Claude Code.

/** Call kinds, as the Agent Client Protocol names them. */
const KINDS = new Map([
  ["read", ["Read"]],
  ["edit", ["Edit", "Write", "NotebookEdit"]],
  ["execute", ["Bash"]],
  ["fetch", ["WebFetch", "WebSearch"]],
]);

/**
 * Translates globs into Claude Code's rules: a tool, a kind, a rule passed through unchanged, or a command. Undefined if one glob
 * is none of these.
 */
export function claudeRules(globs: readonly string[] | undefined): readonly string[] | undefined {
  const rules = globs?.map((glob) => {
    if (/^(mcp__[\w*-]+|[A-Z]\w*)(\(.*\))?$/s.test(glob)) return [glob];
    return KINDS.get(glob) ?? (/^\w[^()*?]* /.test(glob) ? [`Bash(${glob})`] : undefined);
  });
  return rules?.includes(undefined) ? undefined : rules?.flatMap((each) => each ?? []);
}
