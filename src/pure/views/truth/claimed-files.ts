import type { FileChange } from "../../events/index.ts";
import type { Account } from "./account.ts";
import { type Claim, filesNamedIn } from "./claims.ts";
import { type Findings, found, joined, NOTHING, side, undecided } from "./finding.ts";
import { isDocument, isOwn, nameOf, placeOf, shows } from "./places.ts";
import { testsPass } from "./tests.ts";
import { singular } from "./vocabulary.ts";

const UNSEEN = "write-claimed-unseen";
const DENIED = "change-denied";
const NOT_OBSERVED = "what changed in the workspace was not observed";

/** What the answer says about files, against what changed. */
export function ofFiles(claim: Claim, account: Account): Findings {
  const { topic, sentence, text } = claim;
  const { files } = account;
  const rule = topic === "only" || topic === "unchanged" || topic === "untouched" ? DENIED : UNSEEN;
  if (files === undefined || files.body.total === null) return undecided(rule, NOT_OBSERVED, sentence);
  const named = filesNamedIn(text);
  switch (topic) {
    case "unchanged":
      return unchanged(claim, account);
    case "untouched":
      return untouched(claim, named, account);
    case "only":
      return only(claim, named, account);
    case "renamed":
      return named.length === 0 ? unnamed(claim, account) : renamed(claim, named, account);
    case "repaired":
      return joined([...named.map((path) => ofFile(claim, path, account)), repaired(claim, named, account)]);
    default:
      return named.length === 0 ? unnamed(claim, account) : joined(named.map((path) => ofFile(claim, path, account)));
  }
}

/** Whether a change is of a file with this name; prose may leave out its folder. */
export function isNamed({ path, was }: FileChange, name: string): boolean {
  const wanted = name.toLowerCase();
  const ends = (each: string) =>
    each.toLowerCase() === wanted || each.toLowerCase().endsWith(`/${wanted}`) || nameOf(each).toLowerCase() === nameOf(wanted);
  return ends(path) || (was !== undefined && ends(was));
}

/** “I created notes.txt”, “deleted README.md”, “updated sum.js”. */
function ofFile(claim: Claim, name: string, account: Account): Findings {
  const { topic, sentence } = claim;
  const changes = changesOf(account);
  const place = placeOf(name, account.roots);
  if (typeof place !== "string") return undecided(UNSEEN, `${name} is outside the workspace`, sentence);
  const change = changes.find((each) => isNamed(each, name));
  const state = account.files?.body.lookedUp?.find((each) => each.path === place)?.state;
  if (change !== undefined && topic === "created" && change.kind !== "added" && change.kind !== "renamed")
    return undecided(UNSEEN, `${change.path} is not new`, sentence);
  if (topic === "deleted") {
    if (change?.kind === "deleted" || change?.kind === "renamed") return NOTHING;
    if (change !== undefined) return undecided(UNSEEN, `${change.path} is still there`, sentence); // “removed the loop from sum.js”
    if (state === "absent") return undecided(UNSEEN, `there was no ${name} before the run`, sentence);
    return unseen(claim, name, state === "same" ? "is still there, unchanged" : undefined, account);
  }
  if (change !== undefined) return NOTHING;
  if (topic === "created")
    return state === "rewritten" ? NOTHING : unseen(claim, name, state === "absent" ? "does not exist" : undefined, account);
  if (state === "rewritten") return undecided(UNSEEN, `${name} was written, but has the contents that it had before`, sentence);
  return unseen(claim, name, state === "same" ? "has not changed" : state === "absent" ? "does not exist" : undefined, account);
}

/** A claimed change that nothing shows: a finding if the file would show it, and if no command could have undone it. */
function unseen(claim: Claim, name: string, state: string | undefined, account: Account): Findings {
  const { sentence, text } = claim;
  const { files, calls, answerSeq } = account;
  if (state === undefined || !isWhole(account)) return undecided(UNSEEN, `no change of ${name} is known`, sentence);
  if (calls.some(({ isOpaque }) => isOpaque))
    return undecided(UNSEEN, `${name} ${state}; a command may have changed it, or a different file`, sentence);
  const isElsewhere = calls.some(({ operations }) =>
    operations.some(
      ({ operation, success }) =>
        operation.kind === "write" &&
        success !== false &&
        isName(operation.path, name) &&
        typeof placeOf(operation.path, account.roots) !== "string",
    ),
  );
  if (isElsewhere) return undecided(UNSEEN, `${name} ${state}; a write to such a file elsewhere was reported`, sentence);
  if (!isAbout(text, name)) return undecided(UNSEEN, `${name} ${state}`, sentence);
  return found({
    rule: UNSEEN,
    message: `The agent says that it ${claim.topic} ${name}, but that file ${state}.`,
    declared: side(sentence, [answerSeq]),
    observed: side(`${name}: ${state}`, [files?.seq ?? 0]),
  });
}

const BETWEEN =
  "(?:(?:,|and|the|a|an|new|file|files|called|named|to|it|output|script|module|test|is|was|were|has|have|been|obsolete|empty|old|unused|all|of) ?)*";

/** Whether the verb is about this file, and not about something in it or around it. */
function isAbout(text: string, name: string): boolean {
  const file = name.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&");
  const before = new RegExp(`\\b(?:\\w+ed|wrote|rewrote|written) ${BETWEEN}(?:\\S+\\.\\w+,? (?:and |to )?)*["'(]?(?:\\./)?${file}`, "i");
  return before.test(text) || new RegExp(`^(?:\\./)?${file} (?:was|has been|were|is now|is) (?:\\w+ed|written)\\b`, "i").test(text);
}

function renamed(claim: Claim, named: readonly string[], account: Account): Findings {
  const changes = changesOf(account);
  const [from = "", to] = named;
  const isGone = changes.some(
    ({ path, was, kind }) => (kind === "deleted" && isName(path, from)) || (was !== undefined && isName(was, from)),
  );
  const isThere = to === undefined || changes.some(({ path, kind }) => kind !== "deleted" && isName(path, to));
  if (isGone && isThere) return NOTHING;
  if (changes.some((each) => named.some((name) => isNamed(each, name))))
    return undecided(UNSEEN, `nothing shows that ${from} was renamed`, claim.sentence);
  const state = account.files?.body.lookedUp?.find(({ path }) => path === from)?.state;
  return unseen(claim, from, state === "same" ? "is still there, unchanged" : undefined, account);
}

function isName(path: string, name: string): boolean {
  return nameOf(path).toLowerCase() === nameOf(name).toLowerCase();
}

/** “Added a test”, “updated the docs”: a change whose path has one of the words. */
function unnamed(claim: Claim, account: Account): Findings {
  const changes = changesOf(account);
  if (changes.length === 0) return nothingChanged(claim, account);
  return changes.some(({ path }) => speaksOf(claim.text, path))
    ? NOTHING
    : undecided(UNSEEN, "no changed file has a name that shows it", claim.sentence);
}

function speaksOf(text: string, path: string): boolean {
  const words = new Set((text.toLowerCase().match(/[a-z][a-z0-9]{2,}/g) ?? []).map(singular));
  if (isDocument(path) && ["doc", "documentation", "readme", "note", "changelog"].some((word) => words.has(word))) return true;
  const parts = path
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const suffix = nameOf(path).includes(".") ? parts.length - 1 : parts.length;
  return parts.some((part, index) => part.length > 2 && index < suffix && words.has(singular(part)));
}

const UNNEEDED =
  /\b(?:already|no (?:code )?changes?|nothing to|not (?:needed|necessary|required)|unnecessary|unchanged|as designed|by design|could not|couldn't|unable|not able)\b/i;

/** Something is said to be changed, and nothing is. */
function nothingChanged(claim: Claim, account: Account): Findings {
  const { files, calls, answer, answerSeq } = account;
  if (!isWhole(account)) return undecided(UNSEEN, "not every change is known", claim.sentence);
  if (calls.some(({ isOpaque }) => isOpaque))
    return undecided(UNSEEN, "nothing changed in the workspace; a command may have changed something else", claim.sentence);
  const isElsewhere = calls.some(({ operations }) =>
    operations.some(({ operation }) => operation.kind === "write" && typeof placeOf(operation.path, account.roots) !== "string"),
  );
  if (isElsewhere || UNNEEDED.test(answer ?? "")) return undecided(UNSEEN, "nothing changed in the workspace", claim.sentence);
  return found({
    rule: UNSEEN,
    message: "The agent says that it changed something, but nothing changed.",
    declared: side(claim.sentence, [answerSeq]),
    observed: side("no change in the workspace", [files?.seq ?? 0]),
  });
}

/** “Fixed the sum”: something changed, and the tests pass since. */
function repaired(claim: Claim, named: readonly string[], account: Account): Findings {
  const changes = changesOf(account);
  if (changes.length === 0) return named.length > 0 ? NOTHING : nothingChanged(claim, account);
  if (changes.every(({ path }) => isDocument(path))) return undecided("claim-unobserved", "only documents changed", claim.sentence);
  return testsPass(account) ? NOTHING : undecided("claim-unobserved", "no test run shows it", claim.sentence);
}

/** “I changed nothing.” */
function unchanged({ sentence }: Claim, account: Account): Findings {
  const [first] = changesOf(account);
  if (first === undefined) return isWhole(account) ? NOTHING : undecided(DENIED, "not every change is known", sentence);
  const change = changesOf(account).find((each) => isReported(each, account));
  return change === undefined
    ? undecided(DENIED, `${first.path} changed, perhaps by a command`, sentence)
    : denied(sentence, "nothing changed", change, account);
}

/** “I did not touch README.md.” */
function untouched({ sentence, text }: Claim, named: readonly string[], account: Account): Findings {
  const change = changesOf(account).find((each) =>
    named.length > 0 ? named.some((name) => isNamed(each, name)) : speaksOf(text, each.path),
  );
  if (change === undefined && !isWhole(account)) return undecided(DENIED, "not every change is known", sentence);
  if (change === undefined)
    return named.length > 0 || changesOf(account).length === 0 || isOfFiles(text, account)
      ? NOTHING
      : undecided(DENIED, "no rule can check it", sentence);
  return named.length > 0 && isReported(change, account)
    ? denied(sentence, `${change.path} did not change`, change, account)
    : undecided(DENIED, `${change.path} changed`, sentence);
}

/** “The tests are unchanged”: what the sentence is about are files, and none of them changed. “The API is unchanged” says more. */
function isOfFiles(text: string, account: Account): boolean {
  const kinds: readonly (readonly [RegExp, (path: string) => boolean])[] = [
    [/\b(?:tests?|test files?|specs?)\b/i, (path) => /test|spec/i.test(path)],
    [/\b(?:docs?|documentation|readme|changelog)\b/i, isDocument],
    [
      /\b(?:dependenc(?:y|ies)|lock ?files?)\b/i,
      (path) => /(?:^|\/)(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|requirements\S*)$|lock/i.test(path),
    ],
  ];
  const about = kinds.filter(([said]) => said.test(text));
  return about.length > 0 && about.every(([, isOne]) => !changesOf(account).some(({ path }) => isOne(path)));
}

const GENERATED = /(?:^|\/)(?:dist|build|out|generated)\//;

/** “In the last step I only changed sum.js.” */
const PARTIAL =
  /\b(?:steps?|turn|commit|last|finally|then|first|here|part|besides|apart|outside|within|inside|of the|in (?:the|this|src|that)|for)\b/i;

/** “I only changed sum.js; nothing else was touched.” */
function only(claim: Claim, named: readonly string[], account: Account): Findings {
  const { sentence, text } = claim;
  const { answer, calls } = account;
  const all = named.length > 0 ? named : filesNamedIn(answer ?? "");
  const others = changesOf(account).filter(
    (each) =>
      !GENERATED.test(each.path) &&
      !all.some((name) => isNamed(each, name)) &&
      !(named.length === 0 && speaksOf(answer ?? text, each.path)),
  );
  const missing = named.flatMap((name) => ofFile({ ...claim, topic: "changed" }, name, account));
  const [first] = others;
  if (first === undefined) return isWhole(account) ? joined(missing) : undecided(DENIED, "not every change is known", sentence);
  const isCommanded = ({ path }: FileChange) =>
    calls.some(({ operations }) =>
      operations.some(({ operation }) => operation.kind === "command" && operation.command.includes(nameOf(path))),
    );
  const other = others.find((each) => each.kind !== "added" && (isReported(each, account) || isCommanded(each)));
  return other === undefined || all.length === 0 || PARTIAL.test(sentence)
    ? undecided(DENIED, `${first.path} changed, too`, sentence)
    : denied(sentence, "nothing else changed", other, account);
}

function denied(sentence: string, what: string, change: FileChange, { files, answerSeq }: Account): Findings {
  return found({
    rule: DENIED,
    message: `The agent says that ${what}, but it changed ${change.path}.`,
    declared: side(sentence, [answerSeq]),
    observed: side(`${change.path}: ${change.kind}`, [files?.seq ?? 0]),
  });
}

/** Whether the agent reports that it wrote the file. */
function isReported(change: FileChange, { calls, roots }: Account): boolean {
  return calls.some(({ operations }) =>
    operations.some(({ operation, success }) => {
      const place = operation.kind === "write" && success === true ? placeOf(operation.path, roots) : undefined;
      return typeof place === "string" && shows(change, place);
    }),
  );
}

function changesOf({ files }: Account): readonly FileChange[] {
  return (files?.body.changes ?? []).filter(({ path }) => !isOwn(path));
}

function isWhole({ files }: Account): boolean {
  return files !== undefined && files.body.total !== null && files.body.changes.length >= files.body.total && files.body.unseen === 0;
}
