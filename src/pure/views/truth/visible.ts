import { categoryOf, categoryOfText, gitCommand, innerCommands, isDryRun, onlyPrints, programsIn, vouchesFor } from "../../shell/index.ts";
import type { Account } from "./account.ts";
import { NO_REPORTS } from "./finding.ts";

/** A text in which not every part need run, or in which a name may be something else than a program. */
const UNCERTAIN =
  /\|\||\b(?:if|case|for|while|until|function|alias|activate|exit|return|exec|source|set -\w*n)\b|\$\(|\(\)|<<|(?:^|[;&]\s*)\.\s/;

/** Ways to start a program past the wrappers, which are found by the PATH. */
const BYPASSES =
  /\b(?:PATH|BASH_ENV|ENV)\+?=|\benv\s+-|\b(?:sudo|su|doas|runuser|chroot|unshare|nsenter|nix|nix-shell|direnv|mise|asdf|conda|mamba|volta|fnm|nvm|rbenv|pyenv|activate|hash|fish)\b|--posix\b|\b(?:ba|da|k|z)?sh\s+-\w*[ip]|\b(?:da|k|z)?sh\s+-\w*l/;

/** Whether a text that ended well must have run every wanted program, and each of them well: not `false && npm test; true`. */
export function mustHaveRun(text: string, isWanted: (argv: readonly string[]) => boolean): boolean {
  const isReal = (argv: readonly string[]) => isWanted(argv) && !isDryRun(argv);
  const isHeld = (innerCommands(text) ?? []).some((argv) => isReal(argv) || programsIn(argv).some(isReal));
  return isHeld && !UNCERTAIN.test(text) && vouchesFor(text, isReal);
}

/** True if the wanted programs of a text that ended well could not have run unseen; else the reason why they could. */
export function isVisible(
  text: string,
  { watched, calls, commands }: Account,
  isWanted: (argv: readonly string[]) => boolean,
): true | string {
  const parts = innerCommands(text);
  if (parts === undefined || !mustHaveRun(text, isWanted)) return "a compound command may not run all its parts";
  if (watched?.body.sources.includes("trace") === true) return true;
  const program = parts.find(isWanted)?.[0] ?? "";
  if (program.includes("/") || !(watched?.body.wrapped ?? []).includes(program)) return `${program} is not wrapped`;
  const others = calls.flatMap(({ operations }) =>
    operations.flatMap(({ operation }) =>
      operation.kind === "command" ? (innerCommands(operation.command) ?? []).map(([name]) => name) : [],
    ),
  );
  if (calls.some(({ operations }) => operations.some(({ operation }) => operation.kind === "command" && BYPASSES.test(operation.command))))
    return "a command may have gone past the wrappers";
  const isReached = commands.some(({ body }) => others.includes(body.argv[0] ?? ""));
  return isReached ? true : "none of the reported commands went through the wrappers";
}

/** Why tests may have run without a command that is known to run tests. Undefined: they cannot have. */
export function couldHaveTested({ calls, commands, watched, reports }: Account): string | undefined {
  const isTraced = watched?.body.sources.includes("trace") === true;
  if (!reports && !isTraced) return NO_REPORTS;
  if (calls.some(({ operations, isOpaque }) => isOpaque && operations.length === 0))
    return "a tool with unknown effects may have run tests";
  const texts = calls.flatMap(({ operations }) =>
    operations.flatMap(({ operation }) => (operation.kind === "command" ? [operation.command] : [])),
  );
  if (texts.some((text) => mayTestIn(text, isTraced))) return "a reported command may have run tests unseen";
  const hidden = commands.find(({ body }) => mayTest(body.argv) && programsIn(body.argv).length === 1);
  return isTraced && hidden !== undefined ? `${hidden.body.argv[0]} may have run tests` : undefined;
}

function mayTestIn(text: string, isTraced: boolean): boolean {
  const parts = innerCommands(text);
  if (parts === undefined) return true;
  if (!isTraced && parts.some((argv) => argv[0] === "git" && /^(?:commit|push|merge)\b/.test(gitCommand(argv).join(" ")))) return true; // hooks
  return parts.some(mayTest) || categoryOfText(text) === "test";
}

/** Whether a program may run tests although it is not named like a test program: a script, a build, a text for an interpreter. */
function mayTest(argv: readonly string[]): boolean {
  const category = categoryOf(argv);
  if (onlyPrints(argv) || QUIET.has(argv[0] ?? "")) return false;
  return category === "other" || category === "build";
}

/** Programs and builtins that run no others. */
export const QUIET: ReadonlySet<string> = new Set(
  `sleep date whoami id uname hostname which type export set unset cd pwd echo printf true false : exit return test [ read wait umask ulimit
  alias unalias shift local declare trap kill seq yes tty stty clear env-vars ps top nproc free uptime locale getconf`.split(/\s+/),
);
