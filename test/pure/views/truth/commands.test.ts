import { expect, test } from "vitest";
import { noTokens } from "../../../../src/pure/events/tokens.ts";
import { categoryOf } from "../../../../src/pure/shell/category.ts";
import type { Account } from "../../../../src/pure/views/truth/account.ts";
import { compareCommands } from "../../../../src/pure/views/truth/commands.ts";

/** The findings if an agent that reports nothing is seen to run this. */
function rules(line: string, cwd: string | null): readonly string[] {
  const argv = line.split(" ");
  const seen = { source: "trace", argv, category: categoryOf(argv), cwd, startedAt: 1, durationMs: 1, exitCode: 0, signal: null } as const;
  const watched = { type: "commands-observed", available: true, sources: ["trace"], wrapped: [], observed: 1, categories: [] } as const;
  const account: Account = {
    calls: [],
    reports: true,
    answer: null,
    claims: [],
    answerSeq: 0,
    request: "",
    claimsSuccess: true,
    refusals: [],
    roots: ["/w"],
    commands: [{ seq: 1, body: { type: "command-observed", ...seen } }],
    watched: { seq: 2, body: watched },
    tokens: noTokens,
    usageSeq: 0,
  };
  return compareCommands(account).findings.map(({ rule }) => rule);
}

const FOUND = ["command-without-report"];

test.each([
  ["git --git-dir /home/me/.local/share/opencode/snapshot/1 --work-tree /w add .", []],
  ["git --git-dir=/home/me/.local/share/opencode/snapshot/1 --work-tree /w add .", []],
  ["git --git-dir=/w/.git commit -m x", FOUND],
  ["git --git-dir=/home/me/x push", FOUND],
  ["git commit -m x", FOUND],
])("%s, in any directory", (line, found) => {
  for (const cwd of [null, "/w", "/w/sub"]) expect(rules(line, cwd)).toEqual(found);
});
