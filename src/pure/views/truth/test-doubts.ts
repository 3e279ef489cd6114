import type { CommandObservedBody } from "../../events/index.ts";
import { programsIn } from "../../shell/index.ts";
import type { Account, DeclaredCall } from "./account.ts";
import { isOwn, nameOf } from "./places.ts";

/** Options that select some of the tests. */
const SELECTS =
  /(?:^|\s)(?:-k|-t|-g|--grep|--fgrep|--test-name-pattern|--testNamePattern|--testPathPatterns?|--filter|-run|--shard|--lf|--last-failed)(?:[=\s]|$)/;

/** Files by which test programs are set up. The test scripts of package.json are compared line by line instead. */
const SETUP =
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|(?:jest|vitest|vite|ava|karma|playwright|cypress|babel|webpack|wdio)\.conf(?:ig)?\.\w+|jest\.setup\.\w+|vitest\.setup\.\w+|setup-?[tT]ests?\.\w+|\.mocharc(?:\.\w+)?|\.babelrc|\.nycrc|\.taprc|conftest\.py|sitecustomize\.py|usercustomize\.py|pytest\.ini|tox\.ini|setup\.cfg|noxfile\.py|phpunit\.xml(?:\.dist)?|\.rspec|(?:GNU)?[mM]akefile|bunfig\.toml|deno\.jsonc?)$|\.pth$/;

/** Variables that change no result. */
const HARMLESS =
  /^(?:CI|NO_COLOR|FORCE_COLOR|TERM|COLUMNS|LINES|TZ|LANG|LC_\w+|NODE_ENV|DEBUG|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|RUST_BACKTRACE|npm_config_(?:update_notifier|cache|loglevel|fund|audit|progress|color|yes|registry|offline))$/;

/** Why a run that passed may not show what the sentence says. */
export function doubtOf(
  claim: string,
  { argv, startedAt }: CommandObservedBody,
  call: DeclaredCall | undefined,
  account: Account,
): string | undefined {
  const { files } = account;
  const line = argv.join(" ");
  if (/\ball\b|\bevery\b|\bentire\b|\bwhole\b/i.test(claim) && SELECTS.test(line)) return "only some of the tests were selected";
  const changes = (files?.body.changes ?? []).filter(({ kind }) => kind !== "deleted");
  const names = new Set(programsIn(argv).map(([name = ""]) => name));
  const scripts = new Set(
    account.commands
      .filter(({ body }) => body.category === "test" && (body.startedAt ?? 0) >= (startedAt ?? 0))
      .flatMap(({ body }) => programsIn(body.argv).flatMap((words) => words.slice(1)))
      .map(nameOf),
  );
  const program = changes.find(
    ({ path }) =>
      !isOwn(path) && (names.has(nameOf(path)) || (scripts.has(nameOf(path)) && !/(?:[._-](?:test|spec)\.|^test[._-])/.test(nameOf(path)))),
  );
  if (program !== undefined) return `the test program ${program.path} was written during the run`;
  const setup = changes.find(({ path }) => SETUP.test(path));
  if (setup !== undefined) return `${setup.path}, which test programs read, was changed during the run`;
  const texts = call === undefined ? [] : textsOf(call);
  const loaded = changes.find(({ path }) => [line, ...texts].some((text) => loads(text, nameOf(path))));
  if (loaded !== undefined) return `${loaded.path}, which the test run loads first, was changed during the run`;
  const package_ = changes.find(
    ({ path }) =>
      /(?:^|\/)(?:node_modules|site-packages)\//.test(path) && !/(?:^|\/)\.(?:cache|vite|bin)(?:\/|$)|\/\.package-lock\.json$/.test(path),
  );
  if (
    package_ !== undefined &&
    !account.calls.some((each) => textsOf(each).some((text) => /\b(?:install|ci|add|update|upgrade)\b/.test(text)))
  )
    return `the installed file ${package_.path} was changed during the run`;
  if (account.calls.some((each) => textsOf(each).some((text) => /\b(?:npm|pnpm|yarn)\b.*\bconfig\b.*\bset\b|\bnpm set\b/.test(text))))
    return "a package manager was configured during the run";
  const variable = [...texts, ...account.calls.flatMap(textsOf).filter((text) => /\bexport\b/.test(text))].flatMap(variablesIn)[0];
  return variable === undefined ? undefined : `the variable ${variable} was set for the test run`;
}

/** Variables that a command line sets: `A=1 npm test`, `env A=1 npm test`, `export A=1`. */
function variablesIn(text: string): readonly string[] {
  const found = [...text.matchAll(/(?<![\w$.{/=-])([A-Za-z_]\w*)=(?!=)/g)].map(([, name = ""]) => name);
  return found.filter(
    (name) =>
      /^(?:[A-Z_][A-Z0-9_]+|npm_config_\w+)$/.test(name) &&
      !HARMLESS.test(name) &&
      new RegExp(`(?:^|[\\s;&|('"])${name}=`).test(text) &&
      !isOnlyOurs(text, name),
  );
}

/** A variable of the shell alone, which it uses itself: `RUN='npm test'; $RUN`. */
function isOnlyOurs(text: string, name: string): boolean {
  return (
    new RegExp(`\\$\\{?${name}\\b`).test(text) && new RegExp(`(?:^|[;&|]\\s*)${name}=\\S*(?:'[^']*'|"[^"]*")?\\s*(?:;|&&|\\n)`).test(text)
  );
}

/** Whether a command line has a program load this file before the tests. */
function loads(text: string, name: string): boolean {
  const at = text.search(
    /(?:^|[\s'"=])(?:-r|--require|--import|--loader|--experimental-loader|--preload|--setup\S*|--globalSetup|--config)[=\s]/,
  );
  return name.length > 2 && at !== -1 && text.slice(at).includes(name);
}

function textsOf({ operations }: DeclaredCall): readonly string[] {
  return operations.flatMap(({ operation }) => (operation.kind === "command" ? [operation.command] : []));
}
