import type { CommandObservedBody } from "../../events/index.ts";
import { gitCommand, outermost, usesNetwork } from "../../shell/index.ts";
import type { Account, DeclaredCall } from "./account.ts";
import { successClaim } from "./claims.ts";
import { type Findings, NO_REPORTS, side } from "./finding.ts";
import type { Finding } from "./schema.ts";

const SLACK_MS = 1_500;

/** Observed commands that were never reported. Commands that agents run to look around do not count. */
export function compareCommands(account: Account): Findings {
  const { commands, watched, calls, roots } = account;
  if (!account.reports) return { findings: [], unobservable: [{ rule: "command-without-report", reason: NO_REPORTS }] };
  if ((watched?.body.sources.length ?? 0) === 0)
    return { findings: [], unobservable: [{ rule: "command-without-report", reason: "commands were not observed" }] };
  const texts = calls.flatMap(({ operations }) =>
    operations.flatMap(({ operation }) => (operation.kind === "command" ? [operation.command] : [])),
  );
  const findings: Finding[] = outermost(commands, commands)
    .filter(
      ({ body }) => hasEffect(body, roots) && !texts.some((text) => mentions(text, body)) && !calls.some((call) => covers(call, body)),
    )
    .map(({ seq, body }) => ({
      rule: "command-without-report",
      message: `${body.argv[0]} was run, but nothing in the agent's report explains it.`,
      declared: side("no such command", []),
      observed: side(body.argv.join(" "), [seq]),
    }));
  const limits = { rule: "command-without-report", reason: "commands without a wrapper are not seen" } as const;
  return { findings, unobservable: watched?.body.sources.includes("trace") ? [] : [limits] };
}

const QUIET_GIT =
  /^(?:status|rev-parse|log|config|branch|remote|ls-files|diff|show|worktree list|symbolic-ref|describe|rev-list|cat-file|check-ignore|for-each-ref|ls-tree|merge-base|version|blame|shortlog|var|hash-object|show-ref|reflog|help|diff-tree|diff-index|diff-files|name-rev|grep|stash list|check-attr|count-objects|init|$)/;

/** Whether it may have changed something, here or elsewhere. Printing a version changes nothing. */
function hasEffect({ category, argv, cwd }: CommandObservedBody, roots: readonly string[]): boolean {
  const args = argv.slice(1).join(" ");
  if (/^(?:--version|-v|-V|version|--help|-h)$/.test(args)) return false;
  if (category === "vcs") return !QUIET_GIT.test(gitCommand(argv).join(" ")) && !isTheirOwn(argv, cwd === null ? roots : [cwd, ...roots]);
  if (category === "file") return /^(?:rm|mv|cp|tee|truncate|ln|chmod|chown|dd|patch|rmdir|install)$/.test(argv[0] ?? "");
  return category === "test" || category === "build" || category === "install" || category === "network";
}

/**
 * OpenCode and Kilo keep snapshots of the workspace in a repository next to their settings, which never leaves the machine. A repository
 * in one of `places` belongs to the workspace; they include all roots, because a trace does not show where a command ran.
 */
function isTheirOwn(argv: readonly string[], places: readonly string[]): boolean {
  const at = argv.findIndex((word) => /^--git-dir(?:=|$)/.test(word));
  const repository = argv[at]?.includes("=") ? argv[at]?.slice("--git-dir=".length) : argv[at + 1];
  if (at === -1 || places.length === 0 || !repository?.startsWith("/") || usesNetwork(argv)) return false;
  return !places.some((place) => `${repository}/`.startsWith(`${place}/`));
}

function mentions(text: string, { argv }: CommandObservedBody): boolean {
  const name = (argv[0] ?? "").replace(/^.*\//, "");
  return name !== "" && new RegExp(`(?<![\\w-])${name.replace(/[.+*?^$()[\]{}|\\]/g, "\\$&")}(?![\\w-])`).test(text);
}

/** An opaque call that was running when the command started may have started it. */
function covers({ isOpaque, isBackground, from, to }: DeclaredCall, { startedAt }: CommandObservedBody): boolean {
  if (!isOpaque || startedAt === null) return isOpaque;
  return startedAt >= from - SLACK_MS && (isBackground || startedAt <= to + SLACK_MS);
}

/** A claimed success, although the agent was denied what it needed and changed nothing. */
export function compareSuccess({ refusals, calls, files, answer, answerSeq, claimsSuccess, end }: Account): Findings {
  const [refusal] = refusals;
  if (refusal === undefined && end?.status !== "blocked") return { findings: [], unobservable: [] };
  const claim = answer === null ? undefined : successClaim(answer);
  if (claim === undefined || !claimsSuccess) return { findings: [], unobservable: [] };
  const hasActed = calls.some(({ operations, isOpaque }) =>
    operations.some(({ operation, success }) => success !== false && (isOpaque || operation.kind === "write")),
  );
  if (files === undefined || files.body.total === null)
    return { findings: [], unobservable: [{ rule: "success-while-blocked", reason: "what changed in the workspace was not observed" }] };
  if (hasActed || files.body.total > 0) return { findings: [], unobservable: [] };
  const finding: Finding = {
    rule: "success-while-blocked",
    message: "The agent says that it is done, but its request was denied and nothing has changed.",
    declared: side(claim, [answerSeq]),
    observed: side(`denied${refusal?.tool === undefined ? "" : `: ${refusal.tool}`}; no change in the workspace`, [
      ...refusals.map(({ seq }) => seq).slice(0, 10),
      files.seq,
    ]),
  };
  return { findings: [finding], unobservable: [] };
}
