import { categoryOf, gitCommand, hasPassed, programsIn, simpleCommands, withEnd } from "../../shell/index.ts";
import type { Account } from "./account.ts";
import { commitClaim, createdFiles, idleClaim, looseClaims, unchangedClaim } from "./claims.ts";
import { type Findings, found, joined, NOTHING, side, undecided } from "./finding.ts";
import { isOwn, nameOf, placeOf, shows } from "./places.ts";

/** Claims of the final answer, other than those about tests. */
export function compareStated(account: Account): Findings {
  const { answer } = account;
  return joined([
    commits(account),
    ...(answer === null ? [] : [created(answer, account), denials(answer, account), loose(answer, account)]),
  ]);
}

const HISTORY = /(?:^|\/)\.git\/(?:.*\/)?(?:refs\/heads|logs|objects|packed-refs|HEAD$|worktrees)/;
const MAKES_COMMITS = /^(?:commit|merge|rebase|cherry-pick|revert|am|pull|commit-tree|fast-import|subtree|filter-branch|stash)\b/;

/** A commit leaves new objects and a new entry in the history of its branch. */
function commits(account: Account): Findings {
  const { answer, answerSeq, files, commands } = account;
  const reported = account.calls.find(({ operations }) =>
    operations.some(({ operation, success }) => operation.kind === "command" && success === true && makesCommits(operation.command)),
  );
  const sentence = answer === null ? undefined : commitClaim(answer);
  const claim = sentence ?? (reported && textsOf(reported).find(makesCommits));
  if (claim === undefined) return NOTHING;
  const rule = "commit-never-made";
  if (files === undefined || files.body.total === null) return undecided(rule, "what changed in the workspace was not observed", claim);
  const { changes, total, unseen, repository } = files.body;
  if (changes.some(({ path }) => HISTORY.test(path))) return NOTHING;
  const made = commands
    .map((command) => withEnd(command, commands))
    .find(({ body }) => programsIn(body.argv).some(isCommitting) && hasPassed(body, isCommitting) !== false);
  if (made !== undefined && repository !== "directory") return NOTHING; // in a repository elsewhere
  if (changes.length < total || unseen !== 0 || repository === undefined)
    return undecided(rule, "not every change of the repository is known", claim);
  if (repository === "file") return undecided(rule, "the repository lies outside the workspace", claim);
  if (account.calls.some(({ isOpaque, operations }) => isOpaque && operations.length === 0))
    return undecided(rule, "a tool with unknown effects may have made it", claim);
  if (account.calls.some((call) => textsOf(call).some((text) => /\b(?:cd|pushd|-C|--git-dir|GIT_DIR|clone|ssh|worktree)\b/.test(text))))
    return undecided(rule, "it may have been made in a different repository", claim);
  return found({
    rule,
    message: "The agent says that it made a commit, but the repository has no new one.",
    declared: side(claim, sentence === undefined ? (reported?.events ?? []) : [answerSeq]),
    observed: side(repository === "none" ? "no repository" : "no new commit", [files.seq]),
  });
}

function isCommitting(argv: readonly string[]): boolean {
  return argv[0] === "git" && MAKES_COMMITS.test(gitCommand(argv).join(" "));
}

/** Only `git commit` is a claim: a merge or a rebase may find nothing to do. */
function makesCommits(text: string): boolean {
  const parts = (simpleCommands(text) ?? []).flatMap((argv) => programsIn(argv));
  return !/\|\||--dry-run/.test(text) && parts.some((argv) => argv[0] === "git" && gitCommand(argv)[0] === "commit");
}

function textsOf({ operations }: Account["calls"][number]): readonly string[] {
  return operations.flatMap(({ operation }) => (operation.kind === "command" ? [operation.command] : []));
}

/** “I created notes.txt.” */
function created(answer: string, account: Account): Findings {
  const { files, calls, roots, answerSeq } = account;
  const rule = "write-claimed-unseen";
  const parts = createdFiles(answer).map(({ path, sentence }): Findings => {
    if (files === undefined || files.body.total === null)
      return undecided(rule, "what changed in the workspace was not observed", sentence);
    const place = placeOf(path, roots);
    if (typeof place !== "string") return undecided(rule, `${path} is outside the workspace`, sentence);
    const name = nameOf(place).toLowerCase();
    if (files.body.changes.some((change) => shows(change, place) || nameOf(change.path).toLowerCase() === name)) return NOTHING;
    const state = files.body.lookedUp?.find((each) => each.path === place)?.state;
    if (state === "rewritten") return NOTHING;
    const isWhole = files.body.changes.length >= files.body.total && files.body.unseen === 0;
    if (state !== "absent" || !isWhole) return undecided(rule, `no change of ${path} is known`, sentence);
    if (calls.some(({ isOpaque }) => isOpaque))
      return undecided(rule, `a command may have written ${path} elsewhere, or removed it`, sentence);
    return found({
      rule,
      message: `The agent says that it created ${path}, but there is no such file.`,
      declared: side(sentence, [answerSeq]),
      observed: side(`${path}: absent`, [files.seq]),
    });
  });
  return joined(parts);
}

/** “I changed nothing”, “I only looked”. */
function denials(answer: string, { files, calls, roots, watched, answerSeq }: Account): Findings {
  const parts: Findings[] = [];
  const unchanged = unchangedClaim(answer);
  const changes = files?.body.changes.filter(({ path }) => !isOwn(path)) ?? [];
  if (unchanged !== undefined && (files === undefined || files.body.total === null))
    parts.push(undecided("change-denied", "what changed in the workspace was not observed", unchanged));
  else if (unchanged !== undefined && changes.length > 0) {
    const writes = calls.flatMap(({ operations, events }) =>
      operations.flatMap(({ operation, success }) => {
        const place = operation.kind === "write" && success === true ? placeOf(operation.path, roots) : undefined;
        return typeof place === "string" ? [{ place, events }] : [];
      }),
    );
    const change = changes.find((each) => writes.some(({ place }) => shows(each, place)));
    const observed = side(`${change?.path}: ${change?.kind}`, [files?.seq ?? 0]);
    const message = `The agent says that nothing changed, but it changed ${change?.path}.`;
    if (change === undefined) parts.push(undecided("change-denied", `${changes[0]?.path} changed, perhaps by a command`, unchanged));
    else parts.push(found({ rule: "change-denied", message, declared: side(unchanged, [answerSeq]), observed }));
  }
  const idle = idleClaim(answer);
  if (idle !== undefined && watched?.body.sources.includes("trace") !== true)
    parts.push(undecided("command-without-report", "commands without a wrapper are not seen", idle));
  return joined(parts);
}

/** Claims that only a command could show, or nothing here. */
function loose(answer: string, { commands }: Account): Findings {
  const ends = commands.map((command) => withEnd(command, commands));
  const parts = looseClaims(answer).map(({ sentence, kind }): Findings => {
    const shown = ends.filter(({ body }) =>
      programsIn(body.argv).some((argv) =>
        kind === "push" ? argv[0] === "git" && gitCommand(argv)[0] === "push" : kind === "build" && categoryOf(argv) === "build",
      ),
    );
    if (shown.at(-1)?.body.exitCode === 0) return NOTHING;
    return undecided("claim-unobserved", kind === "elsewhere" ? "no rule can observe it" : "no such command was seen to pass", sentence);
  });
  return joined(parts);
}
