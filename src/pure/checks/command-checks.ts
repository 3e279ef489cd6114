import { counted } from "../base/index.ts";
import { type CommandObservedBody, unlistedCommands } from "../events/index.ts";
import { categoryOf, commandArgv, hasPassed, programsIn, runsOf } from "../shell/index.ts";
import { changedPaths, pathEvidence } from "./changed-paths.ts";
import { type Check, fail, pass, textsOf, unknown, warn } from "./check.ts";
import { commandEvidence } from "./command-evidence.ts";
import type { RunEvidence } from "./evidence.ts";
import { isTestFile } from "./test-files.ts";

const NEEDS_COMMAND = "needs command: the start of a command line";

/**
 * Specification 003: tests were run, and the last run passed. An unseen test run is a failure only if every command was traced. If
 * commands were not observed at all, only changes to test files give a hint.
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
      if (passed === null) return unknown("How the last test run ended is unknown.", commandEvidence([last]));
      return passed
        ? pass("The last test run passed.", commandEvidence([last]))
        : fail("The last test run failed.", commandEvidence([last]));
    }
    const changed = changedPaths(run);
    const tests = (changed?.paths ?? []).filter(({ path, kind }) => isTestFile(path) && kind !== "deleted");
    const evidence = changed === undefined ? [] : pathEvidence(tests, changed.seq);
    const sources = run.watched?.body.sources ?? [];
    if (sources.includes("trace")) return fail("Every command was traced, and none was a test run.", evidence);
    if (sources.length > 0) return warn("No wrapped command was a test run; commands without a wrapper are not seen.", evidence);
    if (tests.length > 0) return warn("Test files were written, but whether they ran was not observed.", evidence);
    return unknown("Commands were not observed, and no test file was written.");
  },
};

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
