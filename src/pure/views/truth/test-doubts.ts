import type { CommandObservedBody } from "../../events/index.ts";
import { around, innerCommands, programsIn, scriptOf, testReport } from "../../shell/index.ts";
import type { Account, DeclaredCall, Numbered } from "./account.ts";
import { isOwn, nameOf } from "./places.ts";
import { codeIn, saysAll } from "./test-place.ts";

/** Options that select some of the tests. */
const SELECTS =
  /(?:^|\s)(?:-k|-t|-g|--grep|--fgrep|--test-name-pattern|--test-skip-pattern|--test-only|--testNamePattern|--testPath(?:Ignore)?Patterns?|--filter|-run|--(?:test-)?shard|--lf|--last-failed|--(?:ignore(?:-glob)?|deselect|exclude)|--only-?[cC]hanged|--changed(?:Since)?|--related|--findRelatedTests)(?:[=\s]|$)/;

/** Files by which test programs are set up. The test scripts of package.json are compared line by line instead. */
const SETUP =
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|(?:jest|vitest|vite|ava|karma|playwright|cypress|babel|webpack|wdio)\.conf(?:ig)?\.\w+|jest\.setup\.\w+|vitest\.setup\.\w+|setup-?[tT]ests?\.\w+|\.mocharc(?:\.\w+)?|\.babelrc|\.nycrc|\.taprc|conftest\.py|sitecustomize\.py|usercustomize\.py|pytest\.ini|tox\.ini|setup\.cfg|noxfile\.py|phpunit\.xml(?:\.dist)?|\.rspec|(?:GNU)?[mM]akefile|bunfig\.toml|deno\.jsonc?)$|\.pth$/;

/** Variables that change no result. */
const HARMLESS =
  /^(?:CI|NO_COLOR|FORCE_COLOR|TERM|COLUMNS|LINES|TZ|LANG|LC_\w+|NODE_ENV|DEBUG|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|RUST_BACKTRACE|npm_config_(?:update_notifier|cache|loglevel|fund|audit|progress|color|yes|registry|offline))$/;

/** Why a run that passed may not show what the sentence says. */
export function doubtOf(
  claim: string,
  run: Numbered<CommandObservedBody>,
  call: DeclaredCall | undefined,
  account: Account,
): string | undefined {
  const { argv, startedAt } = run.body;
  const { files } = account;
  const line = argv.join(" ");
  if (SELECTS.test(line) || (saysAll(claim) && /\btest:[\w:-]+/.test(line))) return "only some of the tests were selected";
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
  const texts = call === undefined ? [] : textsOf(call);
  const foreign =
    doubtOfProgram(run, call, account) ?? (texts.some(printsTotals) ? "the command may have printed the totals itself" : undefined);
  if (foreign !== undefined) return foreign;
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
  return undefined;
}

/** Programs that show others a different system: other files, other names, other results. */
const ROOMS =
  /^(?:unshare|nsenter|chroot|bwrap|firejail|proot|fakeroot|fakechroot|docker|podman|nerdctl|lxc|systemd-run|systemd-nspawn|flatpak-spawn|gdb|ltrace|mount|umount|fusermount|overlayfs)$/;
/** A text for an interpreter that only starts other programs or loads tests. */
const STARTS =
  /^(?:(?:const|let|var) [\w{}, ]+ = )?(?:await )?(?:require|import)\(["'](?:(?:node:)?child_process["']\)\.(?:execFileSync|execSync|spawnSync)\((?:process\.execPath|["'][\w ./-]+["'])(?:, ?\[[\w"', ./-]*\])?(?:, ?\{ ?stdio: ?["']inherit["'] ?\})?\)|\.{1,2}\/[\w./-]+["']\));?$|^import unittest; ?unittest\.main\([\w"', =[\]./-]*\)$/;

/** Why a program that ended well may not be the one that its name promises, or not have seen the real workspace. */
export function doubtOfProgram(run: Numbered<CommandObservedBody>, call: DeclaredCall | undefined, account: Account): string | undefined {
  const above = around(run, account.commands);
  const fresh = [run, ...above].find(({ body }) => body.isNew === true);
  if (fresh !== undefined) return `${fresh.body.program ?? fresh.body.argv[0]} was written during the run`;
  const texts = call === undefined ? [] : textsOf(call);
  const names = [...above.map(({ body }) => body.argv), ...texts.flatMap((text) => innerCommands(text) ?? [])].map(([name = ""]) =>
    nameOf(name),
  );
  const room = names.find((name) => ROOMS.test(name));
  if (room !== undefined) return `${room} may have shown it a different workspace`;
  const changes = (account.files?.body.changes ?? []).filter(({ kind }) => kind !== "deleted");
  const setup = changes.find(({ path }) => SETUP.test(path));
  if (setup !== undefined) return `${setup.path}, which test programs and builds read, was changed during the run`;
  const script = above
    .filter(({ body }) => scriptOf(body.argv) === undefined)
    .flatMap(({ body }) => body.argv.slice(1).map(nameOf))
    .find((word) => word.length > 2 && changes.some(({ path }) => !isOwn(path) && nameOf(path) === word && !isTestFile(word)));
  if (script !== undefined) return `${script}, which started it, was written during the run`;
  const text = [run, ...above].flatMap(({ body }) => codeIn(body.argv)).find((code) => !STARTS.test(code.trim()));
  if (text !== undefined) return "a text for an interpreter started it, and may have set it up";
  const variable = [...texts, ...account.calls.flatMap(textsOf).filter((each) => /\b(?:export|declare|typeset)\b/.test(each))].flatMap(
    variablesIn,
  )[0];
  return variable === undefined ? undefined : `the variable ${variable} was set for it`;
}

function isTestFile(name: string): boolean {
  return /(?:[._-](?:test|spec)\.|^test[._-])/.test(name);
}

/** Whether a part of a command line prints a reporter's totals without running a test: from its own text, or from a file. */
function printsTotals(text: string): boolean {
  return (innerCommands(text) ?? []).some(([name = "", ...args]) => {
    if (/^(?:echo|printf)$/.test(name))
      return testReport(args.join("\n").replace(/\\n|%s/g, "\n")) !== undefined || args.some((arg) => arg.startsWith("$") && arg !== "$?");
    if (!/^(?:cat|tail|head|sed|awk|base64|xxd|tac)$/.test(name)) return false;
    const files = args.filter((arg) => !/^[-+\d]/.test(arg));
    return (name !== "sed" && name !== "awk" ? files : files.slice(1)).some(
      (file) =>
        !new RegExp(
          `>+\\s*["']?${file.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&")}|tee (?:-a )?${file.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&")}`,
        ).test(text),
    );
  });
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
