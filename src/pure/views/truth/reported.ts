import type { CommandObservedBody } from "../../events/index.ts";
import { unlistedCommands } from "../../events/index.ts";
import { categoryOf, gitCommand, innerCommands, programsIn, withEnd } from "../../shell/index.ts";
import type { Account, DeclaredCall, Numbered } from "./account.ts";
import { type Findings, found, joined, NOTHING, side, undecided } from "./finding.ts";
import { nameOf } from "./places.ts";
import { ended, isSame } from "./tests.ts";
import { isVisible, QUIET } from "./visible.ts";

const SLACK_MS = 1_500;
const NEVER = "command-never-started";

/** Commands that the agent reports as ended well, other than test runs: whether they started, and how they ended. */
export function compareReported(account: Account): Findings {
  const parts = account.calls.flatMap((call) =>
    call.operations.flatMap(({ operation, success }) =>
      operation.kind === "command" && success === true ? [ofCommand(operation.command, call, account)] : [],
    ),
  );
  return joined(parts);
}

function ofCommand(text: string, call: DeclaredCall, account: Account): Findings {
  const { watched, commands } = account;
  const parts = innerCommands(text)?.filter(([name = ""]) => !QUIET.has(name));
  if (parts?.length === 0) return NOTHING; // it has no effect
  if (parts?.some((argv) => categoryOf(argv) === "test")) return NOTHING; // a rule for test runs decides
  if ((watched?.body.sources.length ?? 0) === 0) return undecided(NEVER, "commands were not observed", text);
  if (unlistedCommands(account) > 0) return undecided(NEVER, "more commands were seen than the recording lists", text);
  const during = commands
    .filter(({ body }) => body.startedAt === null || (body.startedAt >= call.from - SLACK_MS && body.startedAt <= call.to + SLACK_MS))
    .map((command) => withEnd(command, commands));
  if (parts === undefined) return during.length > 0 ? NOTHING : undecided(NEVER, "the command could not be parsed", text);
  const missing = parts.filter((argv) => !during.some(({ body }) => isOf(argv, body)));
  if (missing.length === 0) return failed(text, call, during);
  const sure = missing.find(isProgram);
  const names = new Set(sure === undefined ? [] : programsIn(sure).map((argv) => argv.join(" ")));
  const visible = isVisible(text, account, (argv) => argv.join(" ") === sure?.join(" ") || names.has(argv.join(" ")));
  const [first = []] = missing;
  if (sure === undefined) return undecided(NEVER, `${first[0]} was not seen; the agent's shell may have its own`, text);
  if (visible !== true) return undecided(NEVER, visible, text);
  // On a busy machine a line may be seen seconds after it was printed.
  if (commands.some(({ body }) => isSame(sure, body.argv))) return undecided(NEVER, "it was seen at a different time", text);
  if (call.isBackground) return undecided(NEVER, "it was sent to the background", text);
  return found({
    rule: NEVER,
    message: "A command was reported, but it was never started.",
    declared: side(text, call.events),
    observed: side("no such command", [watched?.seq ?? 0]),
  });
}

/** Agents bring these along, or define them in their shell: Claude Code has its own `grep`, `find` and `rg`; Codex its own `apply_patch`. */
const MAY_BE_BUILT_IN: ReadonlySet<string> = new Set(
  "cat ls cp mv rm mkdir rmdir touch find fd grep egrep fgrep rg ag sed awk gawk head tail tee chmod ln stat wc du df tree diff sort uniq cut tr nl less more file basename dirname realpath readlink xargs jq apply_patch".split(
    " ",
  ),
);

/** Whether the name can only be that of a program: it is a path, or well known. */
function isProgram(argv: readonly string[]): boolean {
  if (argv[0]?.includes("/")) return true;
  return categoryOf(argv) !== "other" && !programsIn(argv).every(([name = ""]) => MAY_BE_BUILT_IN.has(name));
}

function isOf(argv: readonly string[], body: CommandObservedBody): boolean {
  const names = new Set([argv, ...programsIn(argv)].map(([name = ""]) => nameOf(name)));
  return [body.argv, ...programsIn(body.argv)].some(([name = ""]) => names.has(nameOf(name)));
}

/** A build, an installation or a commit that failed, though reported as well ended. */
function failed(text: string, call: DeclaredCall, during: readonly Numbered<CommandObservedBody>[]): Findings {
  const [declared, ...others] = innerCommands(text) ?? [];
  if (declared === undefined || others.length > 0 || !failsForGood(declared)) return NOTHING;
  const runs = during.filter(({ body }) => isSame(declared, body.argv));
  if (runs.length === 0 || runs.some(({ body }) => body.exitCode === 0 || body.exitCode === null)) return NOTHING;
  return found({
    rule: "command-failed",
    message: "A command was reported as ended well, but it failed.",
    declared: side(text, call.events),
    observed: side(
      runs.map(({ body }) => ended(body)).join("; "),
      runs.map(({ seq }) => seq),
    ),
  });
}

/** Programs whose exit code means success or failure, and not an answer, as `grep` and `diff` do. */
function failsForGood(argv: readonly string[]): boolean {
  const category = categoryOf(argv);
  return (
    category === "build" || category === "install" || /^(?:commit|push|merge|rebase|pull|fetch|clone)\b/.test(gitCommand(argv).join(" "))
  );
}
