// Rules about calls, for Claude Code. Part of claude.ts.

/** Kinds of calls, as the protocol of editors has them, in its own names. */
const KINDS = new Map([
  ["read", ["Read"]],
  ["edit", ["Edit", "Write", "NotebookEdit"]],
  ["execute", ["Bash"]],
  ["fetch", ["WebFetch", "WebSearch"]],
]);

/** Globs as rules of its own: a tool, a kind, a rule as it is, or else a command. Undefined where one can be none of these. */
export function claudeRules(globs: readonly string[] | undefined): readonly string[] | undefined {
  const rules = globs?.map((glob) => {
    if (/^(mcp__[\w*-]+|[A-Z]\w*)(\(.*\))?$/s.test(glob)) return [glob];
    return KINDS.get(glob) ?? (/^\w[^()*?]* /.test(glob) ? [`Bash(${glob})`] : undefined);
  });
  return rules?.includes(undefined) ? undefined : rules?.flatMap((each) => each ?? []);
}
