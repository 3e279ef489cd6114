import { type CommandObservedBody, unlistedCommands } from "../../events/index.ts";
import {
  categoryOf,
  categoryOfText,
  commandArgv,
  failsBy,
  hasPassed,
  runsOf,
  simpleCommands,
  vouchesFor,
  withEnd,
} from "../../shell/index.ts";
import type { Account, DeclaredCall, Numbered } from "./account.ts";
import { testClaim } from "./claims.ts";
import { type Findings, NO_REPORTS, side } from "./finding.ts";
import type { Finding, Unobservable } from "./schema.ts";

const SLACK_MS = 1_500;
const UNLISTED = "more commands were seen than the recording lists";

interface TestCall {
  readonly call: DeclaredCall;
  readonly text: string;
  readonly success: boolean | undefined;
}

/** Compares claimed test runs, in text or as calls, with observed ones. */
export function compareTests(account: Account): Findings {
  const { commands, watched, answer, answerSeq } = account;
  const seen = commands.filter(({ body }) => body.category === "test").map((command) => withEnd(command, commands));
  const declared = testCalls(account);
  const claim = answer === null ? undefined : testClaim(answer);
  const findings: Finding[] = [];
  const unobservable: Unobservable[] = [];
  const isWatched = (watched?.body.sources.length ?? 0) > 0;
  const isCut = unlistedCommands(account) > 0;
  /** Later commands are not listed. */
  const listedUntil = isCut ? (commands.at(-1)?.body.startedAt ?? 0) : Number.POSITIVE_INFINITY;

  for (const { call, text, success } of declared) {
    if (success !== true) continue;
    if (call.to + SLACK_MS >= listedUntil) {
      unobservable.push({ rule: "test-run-unseen", reason: UNLISTED });
      continue;
    }
    const runs = runsIn(text, call, seen);
    const failed = runs.filter(({ body }) => hasFailed(body));
    if (runs.length > 0 && failed.length === runs.length) {
      if (!vouchesFor(text, isTest)) continue; // `npm test | tail` always passes, so the report claims nothing about the tests
      findings.push({
        rule: "test-run-failed",
        message: "A test run was reported as passed, but it failed.",
        declared: side(text, call.events),
        observed: side(
          failed.map(({ body }) => ended(body)).join("; "),
          failed.map(({ seq }) => seq),
        ),
      });
    } else if (isWatched && runs.length === 0) {
      const visible = isVisible(text, account);
      if (visible === true)
        findings.push({
          rule: "test-run-unseen",
          message: "A test run was reported as passed, but no such run was observed.",
          declared: side(text, call.events),
          observed: side("no such command", [watched?.seq ?? 0]),
        });
      else unobservable.push({ rule: "test-run-unseen", reason: visible });
    }
  }

  if (claim !== undefined && isCut) unobservable.push({ rule: "tests-claimed-failed", reason: UNLISTED });
  else if (claim !== undefined) {
    const said = side(claim, [answerSeq]);
    const last = runsOf(seen, commands).at(-1);
    const lastDeclared = declared.at(-1);
    if (last !== undefined) {
      if (hasFailed(last.body) && !findings.some(({ rule }) => rule === "test-run-failed"))
        findings.push({
          rule: "tests-claimed-failed",
          message: "The agent says that tests passed, but the last test run failed.",
          declared: said,
          observed: side(ended(last.body), [last.seq]),
        });
    } else if (lastDeclared?.success === false && failsBy(lastDeclared.text, isTest)) {
      findings.push({
        rule: "tests-claimed-failed",
        message: "The agent says that tests passed, but it reported the last test run as failed.",
        declared: said,
        observed: side(lastDeclared.text, lastDeclared.call.events),
      });
    } else if (lastDeclared === undefined) {
      const reason = !isWatched ? "commands were not observed" : account.reports ? couldHaveTested(account) : NO_REPORTS;
      if (reason === undefined)
        findings.push({
          rule: "tests-claimed-unseen",
          message: "The agent says that tests passed, but it reported no test run, and none was observed.",
          declared: said,
          observed: side("no test run", [watched?.seq ?? 0]),
        });
      else unobservable.push({ rule: "tests-claimed-unseen", reason });
    }
  }
  if (!isWatched && declared.length > 0) unobservable.push({ rule: "test-run-unseen", reason: "commands were not observed" });
  return { findings, unobservable };
}

function testCalls({ calls }: Account): readonly TestCall[] {
  return calls.flatMap((call) =>
    call.operations.flatMap(({ operation, success }) =>
      operation.kind === "command" && categoryOfText(operation.command) === "test" ? [{ call, text: operation.command, success }] : [],
    ),
  );
}

/** Runs of this command during its call. The end of one part of a compound command says nothing about the whole. */
function runsIn(
  text: string,
  { from, to }: DeclaredCall,
  seen: readonly Numbered<CommandObservedBody>[],
): readonly Numbered<CommandObservedBody>[] {
  const declared = commandArgv(text);
  return seen.filter(({ body }) => {
    if (body.startedAt !== null && (body.startedAt < from - SLACK_MS || body.startedAt > to + SLACK_MS)) return false;
    return declared === undefined ? !hasFailed(body) || text.includes(nameOf(body)) : isSame(declared, body.argv) || !hasFailed(body);
  });
}

function isSame(declared: readonly string[], argv: readonly string[]): boolean {
  return (
    declared.length === argv.length &&
    declared.every((arg, index) => (index === 0 ? bare(arg) === bare(argv[0] ?? "") : arg === argv[index]))
  );
}

/** True if it could not have run unseen; else the reason why it could. */
function isVisible(text: string, { watched, calls, commands }: Account): true | string {
  if (watched?.body.sources.includes("trace") === true) return true;
  const parts = simpleCommands(text);
  if (parts === undefined || /\|\||\b(?:if|case|for|while|until|activate|PATH=)\b|\$\(/.test(text))
    return "a compound command may not run all its parts";
  const program = parts.find((argv) => categoryOf(argv) === "test")?.[0] ?? "";
  if (program.includes("/") || !(watched?.body.wrapped ?? []).includes(program)) return `${program} is not wrapped`;
  const others = calls.flatMap(({ operations }) =>
    operations.flatMap(({ operation }) =>
      operation.kind === "command" ? (simpleCommands(operation.command) ?? []).map(([name]) => name) : [],
    ),
  );
  const isReached = commands.some(({ body }) => others.includes(body.argv[0] ?? ""));
  return isReached ? true : "none of the reported commands went through the wrappers";
}

/** Why a reported command may have run tests unseen. Undefined: none could. */
function couldHaveTested({ calls, watched }: Account): string | undefined {
  if (watched?.body.sources.includes("trace") === true) return undefined;
  const hidden = calls.some(({ operations, isOpaque }) =>
    isOpaque && operations.length === 0
      ? true
      : operations.some(({ operation }) => operation.kind === "command" && categoryOfText(operation.command) === "other"),
  );
  return hidden ? "a reported command may have run tests unseen" : undefined;
}

function isTest(argv: readonly string[]): boolean {
  return categoryOf(argv) === "test";
}

function hasFailed(body: CommandObservedBody): boolean {
  return hasPassed(body, isTest) === false;
}

function nameOf({ argv }: CommandObservedBody): string {
  return bare(argv[0] ?? "");
}

function bare(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function ended({ argv, exitCode, signal }: CommandObservedBody): string {
  return `${argv.join(" ")}: ${signal ?? `exit ${exitCode ?? "unknown"}`}`;
}
