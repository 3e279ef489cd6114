import { counted } from "../base/index.ts";
import { type CommandObservedBody, unlistedCommands } from "../events/index.ts";
import { categoryOf, commandArgv, hasPassed, onlyPrints, programsIn, runsOf, type TestReport } from "../shell/index.ts";
import { changedPaths, pathEvidence } from "./changed-paths.ts";
import { type Check, fail, pass, textsOf, unknown, type Verdict, warn } from "./check.ts";
import { commandEvidence } from "./command-evidence.ts";
import type { CalledReport, Numbered, RunEvidence } from "./evidence.ts";
import { isTestFile } from "./test-files.ts";

const NEEDS_COMMAND = "needs command: the start of a command line";

/**
 * Specification 003: tests were run, and the last run passed. That is shown by its reporter, which says how many tests ran: a command
 * with the name of a test program may run none. An unseen test run is a failure only if every command was traced, and none of them can
 * have run tests. If commands were not observed at all, only changes to test files give a hint.
 */
export const testsRequired: Check = {
  id: "quality.tests_required",
  group: "quality",
  title: "Tests were run, and the last run passed",
  options: { command: "the start of the command that runs the tests, if its name does not show it: ./verify" },
  refuse: (options) => ("command" in options && startOf(options).length === 0 ? NEEDS_COMMAND : undefined),
  judge(run, options) {
    const own = startOf(options);
    const isOwn = (argv: readonly string[]) => own.length > 0 && isStartOf(own, argv);
    const isTest = ({ argv, category }: CommandObservedBody) => category === "test" || programsIn(argv).some(isOwn);
    const runs = runsOf(
      run.commands.filter(({ body }) => isTest(body)),
      run.commands,
    );
    const last = runs.at(-1);
    const rest = unlisted(run);
    if (rest !== undefined) return unknown(`The last test run may not be listed: ${rest}.`, commandEvidence(last ? [last] : []));
    if (last !== undefined) {
      const passed = hasPassed(last.body, (argv) => isOwn(argv) || categoryOf(argv) === "test");
      return lastRun(last, passed, reportOf(last, run.reports ?? []));
    }
    const changed = changedPaths(run);
    const tests = (changed?.paths ?? []).filter(({ path, kind }) => isTestFile(path) && kind !== "deleted");
    const evidence = changed === undefined ? [] : pathEvidence(tests, changed.seq);
    const sources = run.watched?.body.sources ?? [];
    const others = run.commands.filter(({ body }) => mayTest(body));
    if (sources.includes("trace") && others.length > 0)
      return unknown("Every command was traced; none is known as a test run, but others may have run tests.", commandEvidence(others));
    if (sources.includes("trace")) return fail("Every command was traced, and none was a test run.", evidence);
    if (sources.length > 0) return warn("No wrapped command was a test run; commands without a wrapper are not seen.", evidence);
    if (tests.length > 0) return warn("Test files were written, but whether they ran was not observed.", evidence);
    return unknown("Commands were not observed, and no test file was written.");
  },
};

function lastRun(last: Numbered<CommandObservedBody>, passed: boolean | null, called: CalledReport | undefined): Verdict {
  const evidence = commandEvidence([last]);
  if (passed === false) return fail("The last test run failed.", evidence);
  if (called === undefined || last.body.exitCode === null)
    return passed === null
      ? unknown("How the last test run ended is unknown.", evidence)
      : unknown("The last test run ended with exit code 0, but no reporter shows how many tests ran.", evidence);
  const { report, seq } = called;
  const all = [...evidence, { source: "events" as const, excerpt: totals(report), events: [seq] }];
  if (report.failed > 0)
    return passed === null
      ? fail(`The last test run failed: ${totals(report)}.`, all)
      : unknown(`The last test run ended with exit code 0, but its reporter shows failures: ${totals(report)}.`, all);
  if (report.ran === 0) return fail("The last test run ran no test.", all);
  return pass(`The last test run passed: ${totals(report)}.`, all);
}

function totals({ ran, passed, failed, skipped }: TestReport): string {
  return `${ran} ran, ${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** The clocks of the agent's lines and of observed commands may differ slightly. */
const SLACK_MS = 1_500;

/** What a reporter printed in the call in which the command ran. */
function reportOf({ body }: Numbered<CommandObservedBody>, reports: readonly CalledReport[]): CalledReport | undefined {
  const { startedAt } = body;
  if (startedAt === null) return undefined;
  return reports.findLast(({ from, to }) => startedAt >= from - SLACK_MS && startedAt <= to + SLACK_MS);
}

/** Whether a command of unknown purpose may have run tests: a script, a build, a program with its text in an argument. */
function mayTest({ argv, category }: CommandObservedBody): boolean {
  return (
    (category === "other" || category === "build") && !onlyPrints(argv) && !/^(?:\/\S+\/)?(?:sh|bash|dash|zsh|env)$/.test(argv[0] ?? "")
  );
}

/** A required command was run, and its last run passed. */
export const commandPassed: Check = {
  id: "quality.command_passed",
  group: "quality",
  title: "A required command was run and passed",
  options: { command: "the start of the command line: npm test" },
  refuse: (options) => (startOf(options).length === 0 ? NEEDS_COMMAND : undefined),
  judge(run, options) {
    const wanted = startOf(options);
    const name = wanted.join(" ");
    const isWanted = (argv: readonly string[]) => isStartOf(wanted, argv);
    const runs = runsOf(
      run.commands.filter(({ body }) => programsIn(body.argv).some(isWanted)),
      run.commands,
    );
    const last = runs.at(-1);
    const rest = unlisted(run);
    if (rest !== undefined) return unknown(`The last ${name} may not be listed: ${rest}.`, commandEvidence(last ? [last] : []));
    if (last !== undefined) {
      const passed = hasPassed(last.body, isWanted);
      if (passed === null) return unknown(`How ${name} ended is unknown.`, commandEvidence([last]));
      return passed ? pass(`${name} was run and passed.`, commandEvidence([last])) : fail(`${name} failed.`, commandEvidence([last]));
    }
    return unseen(run, name);
  },
};

/** Why the list of commands is incomplete, as part of a sentence; undefined if it is complete. */
export function unlisted(run: RunEvidence): string | undefined {
  const count = unlistedCommands(run);
  return count === 0 ? undefined : `${counted(count, "more command was", "more commands were")} seen than the recording lists`;
}

function unseen(run: RunEvidence, name: string) {
  const sources = run.watched?.body.sources ?? [];
  if (sources.includes("trace")) return fail(`Every command was traced, and ${name} was not among them.`);
  if (sources.length === 0) return unknown("Commands were not observed.");
  return unknown(`No wrapped command was ${name}; commands without a wrapper are not seen.`);
}

function startOf(options: Readonly<Record<string, unknown>>): readonly string[] {
  const [command = ""] = textsOf(options, "command") ?? [];
  return commandArgv(command) ?? command.split(/\s+/).filter((word) => word !== "");
}

function isStartOf(wanted: readonly string[], argv: readonly string[]): boolean {
  return wanted.every((arg, index) => arg === argv[index] || (index === 0 && arg.endsWith(`/${argv[0]}`)));
}
