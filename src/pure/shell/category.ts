import type { CommandCategory } from "../events/index.ts";
import { simpleCommands } from "./simple-commands.ts";
import { SHELLS } from "./unwrap-shell.ts";

/** The purpose of a command, judged by its arguments. If it runs several programs, the most significant one decides. */
export function categoryOf(argv: readonly string[]): CommandCategory {
  return mostTelling(programsIn(argv).map(categoryOfProgram));
}

/** The category of a shell text, as agents report it. An unreadable text is `other`. */
export function categoryOfText(text: string): CommandCategory {
  return mostTelling((simpleCommands(text) ?? []).flatMap(programsIn).map(categoryOfProgram));
}

/** Whether its arguments show that it contacts other machines: a fetch, an installation, a push. */
export function usesNetwork(argv: readonly string[]): boolean {
  return programsIn(argv).some((words) => {
    const category = categoryOfProgram(words);
    if (category === "network" || category === "install") return true;
    return category === "vcs" && REMOTE.test(gitCommand(words).join(" "));
  });
}

/** The most significant category first. */
const ORDER: readonly CommandCategory[] = ["test", "install", "build", "network", "vcs", "other", "file"];

function mostTelling(found: readonly CommandCategory[]): CommandCategory {
  return ORDER.find((category) => found.includes(category)) ?? "other";
}

/** The programs that a command line really runs, by bare name: looks behind `env A=1`, `timeout 5`, `npx`, `python -m` and `sh -c`. */
export function programsIn(argv: readonly string[], depth = 0): readonly (readonly string[])[] {
  const [first = "", ...args] = argv;
  const name = bareName(first);
  if (depth > 4 || name === "") return [];
  if (SHELLS.has(name)) {
    const at = args.findIndex((word) => /^-[a-zA-Z]*c$/.test(word));
    if (at !== -1) return (simpleCommands(args[at + 1] ?? "") ?? []).flatMap((words) => programsIn(words, depth + 1));
  }
  const behind = PREFIXES.get(name)?.(args);
  if (behind !== undefined && behind.length > 0) return programsIn(behind, depth + 1);
  return [[name, ...args]];
}

/** A command line without prefixes that only start another one: `timeout 60 sh -c x` gives `sh -c x`. */
export function unprefixed(argv: readonly string[], depth = 0): readonly string[] {
  const [first = "", ...args] = argv;
  const behind = depth > 4 ? undefined : PREFIXES.get(bareName(first))?.(args);
  return behind === undefined || behind.length === 0 ? argv : unprefixed(behind, depth + 1);
}

function bareName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd)$/, "");
}

type Behind = (args: readonly string[]) => readonly string[] | undefined;

const afterOptions: Behind = (args) => {
  const at = args.findIndex((word) => !word.startsWith("-") && !/^\w+=/.test(word));
  return at === -1 ? undefined : args.slice(at);
};
/** `command -v curl` only says where curl is. */
const afterCommand: Behind = (args) => (/^-[a-z]*[vV]/.test(args[0] ?? "") ? undefined : afterOptions(args));
const afterNumber: Behind = (args) => afterOptions(args)?.slice(1);
const afterWord =
  (...words: readonly string[]): Behind =>
  (args) =>
    words.includes(args[0] ?? "") ? afterOptions(args.slice(1)) : undefined;
const module: Behind = (args) => (args[0] === "-m" ? args.slice(1) : undefined);

/** Programs that run another program, and how to find it. */
const PREFIXES: ReadonlyMap<string, Behind> = new Map<string, Behind>([
  ...["env", "nice", "nohup", "sudo", "time", "exec", "npx", "bunx", "setsid", "stdbuf", "xvfb-run", "ionice"].map(
    (name) => [name, afterOptions] as const,
  ),
  ["command", afterCommand],
  ["timeout", afterNumber],
  ...["python", "python3", "py"].map((name) => [name, module] as const),
  ["pnpm", afterWord("exec", "dlx", "x")],
  ["yarn", afterWord("exec", "dlx")],
  ["npm", afterWord("exec", "x")],
  ["uv", afterWord("run")],
  ["poetry", afterWord("run")],
  ["pipenv", afterWord("run")],
  ["hatch", afterWord("run")],
  ["bundle", afterWord("exec")],
]);

const TESTERS = `pytest py.test unittest nose2 tox nox jest vitest mocha ava tap tape jasmine karma cypress rspec phpunit pest ctest
  nextest gotestsum bats shellspec busted lit behave cucumber robot testcafe`;
const BUILDERS = `make gmake cmake ninja meson tsc webpack rollup esbuild tsup swc babel parcel gcc g++ cc c++ clang clang++ ld rustc javac
  kotlinc msbuild xcodebuild bazel buck scons ant`;
const NETWORKERS = `curl wget ssh scp sftp nc ncat netcat telnet ftp ping dig nslookup host http https xh aria2c socat gh glab aws gcloud az
  kubectl helm terraform rclone`;
const VERSIONERS = "git hg svn jj bzr fossil";
const FILERS = `cat ls cp mv rm mkdir rmdir touch find fd grep egrep fgrep rg ag sed awk gawk head tail tee chmod chown ln stat wc du df tree
  diff cmp tar zip unzip gzip gunzip sort uniq cut tr nl less more file basename dirname realpath readlink pwd cd echo printf test [ true
  false patch xargs sha256sum md5sum install truncate dd split jq`;

const PROGRAMS: ReadonlyMap<string, CommandCategory> = new Map(
  (
    [
      [TESTERS, "test"],
      [BUILDERS, "build"],
      [NETWORKERS, "network"],
      [VERSIONERS, "vcs"],
      [FILERS, "file"],
    ] as const
  ).flatMap(([names, category]) =>
    names
      .split(/\s+/)
      .filter((name) => name !== "")
      .map((name) => [name, category] as const),
  ),
);

/** Git commands that need the remote. */
const REMOTE = /^(?:push|pull|fetch|clone|ls-remote|submodule update|remote update)\b/;

const WITH_VALUE = new Set(["-c", "-C", "--git-dir", "--work-tree", "--namespace", "--config-env"]);

/** A git command line from the subcommand on, without `-C dir`, `-c name=value` and the like. */
export function gitCommand(argv: readonly string[]): readonly string[] {
  let at = 1;
  while (argv[at]?.startsWith("-")) at += WITH_VALUE.has(argv[at] ?? "") ? 2 : 1;
  return argv.slice(at);
}

const TEST_WORD = /^(?:-\S+ )*(?:test|nextest|spec)\b/;

/** An interpreter runs a file that is named like a test. */
const TEST_FILE =
  /^(?:-\S+ )*\S*(?:(?:^|\/)tests?\/\S+|(?:^|[/_.-])(?:test|spec|tests)[_.-]\S*|[_.-](?:test|spec|tests)\.\w+|(?:^|[/-])(?:run-?)?tests?(?:\.\w+)?)(?:\s|$)/;

const INSTALL_WORD = /^(?:-\S+ )*(?:install|add|require|update|upgrade)\b/;

/** Programs whose first arguments decide. The first matching rule wins. */
const BY_ARGUMENTS: readonly (readonly [program: RegExp, words: RegExp, category: CommandCategory])[] = [
  [
    /^(?:npm|pnpm|yarn|bun|deno|cargo|go|dotnet|swift|mix|sbt|stack|cabal|zig|bazel|rake|composer|nx|turbo|hatch|lerna)$/,
    TEST_WORD,
    "test",
  ],
  [
    /^(?:npm|pnpm|yarn|bun|composer)$/,
    /^(?:run(?:-script)? )?test\S*|^(?:t|tst)(?:\s|$)|^run(?:-script)? (?:\S*:)?(?:test|spec|check)\b/,
    "test",
  ],
  [/^(?:mvn|mvnw|gradle|gradlew)$/, /(?:^|\s):?(?:\S+:)?(?:test|verify|check|integrationTest)\b/, "test"],
  [/^g?make$/, /(?:^|\s)(?:test|tests|check|spec)\b/, "test"],
  [/^node$/, /(?:^|\s)--test\b/, "test"],
  [/^playwright$/, /^test\b/, "test"],
  [/^(?:node|python3?|ruby|php|perl|bash|sh|tsx|ts-node|bun|deno|Rscript|lua)$/, TEST_FILE, "test"],
  [/^(?:npm|pnpm|bun|yarn)$/, /^(?:i|install|ci|add|up|upgrade|update)\b/, "install"],
  [/^yarn$/, /^$/, "install"],
  [/^pip3?(?:\.\d+)?$/, /^(?:install|download)\b/, "install"],
  [/^uv$/, /^(?:add|sync|pip install|tool install)\b/, "install"],
  [
    /^(?:poetry|pipenv|conda|mamba|gem|bundle|composer|brew|apt|apt-get|dnf|yum|apk|pacman|snap|flatpak|choco|winget)$/,
    INSTALL_WORD,
    "install",
  ],
  [/^cargo$/, /^(?:add|install|fetch)\b/, "install"],
  [/^go$/, /^(?:get|install|mod (?:download|tidy))\b/, "install"],
  [/^(?:npm|pnpm|yarn|bun)$/, /^(?:run )?(?:build|compile|bundle|typecheck|tsc|lint)\b/, "build"],
  [
    /^(?:cargo|go|dotnet|swift|zig|mix|sbt|stack|cabal|vite|next|nx|turbo|docker)$/,
    /^(?:build|check|compile|vet|clippy|publish)\b/,
    "build",
  ],
  [/^(?:mvn|mvnw|gradle|gradlew)$/, /./, "build"],
  [/^(?:npm|pnpm|yarn)$/, /^(?:publish|view|info|search|login|audit|outdated)\b/, "network"],
  [/^docker$/, /^(?:pull|push|login)\b/, "network"],
  [/^rsync$/, /\S+:/, "network"],
];

/** Only the beginning of a long command line is matched. */
const LONGEST = 2_000;

/** Arguments with which a program only prints: `node --test --version` runs no test. */
const ONLY_PRINTS =
  /(?:^|\s)(?:--version|--help|-h|--collect-only|--co|--list|--list-?tests|--dry-run|--show-?config|--clear-?cache|--setup-plan|--no-run)(?:\s|$)/i;

/** Whether a command only prints something about itself, or about what it would run. */
export function onlyPrints(argv: readonly string[]): boolean {
  return programsIn(argv).every(([name = "", ...args]) => {
    const words = args.join(" ");
    return ONLY_PRINTS.test(words) || /^(?:-v|-V|version|help)$/.test(words) || (name === "pytest" && /(?:^|\s)-V/.test(words));
  });
}

function categoryOfProgram([name = "", ...args]: readonly string[]): CommandCategory {
  const words = args.join(" ").slice(0, LONGEST);
  for (const [program, rule, category] of BY_ARGUMENTS)
    if (program.test(name) && rule.test(words)) return category === "test" && ONLY_PRINTS.test(words) ? "other" : category;
  const known = PROGRAMS.get(name);
  if (known !== undefined) return known === "test" && (ONLY_PRINTS.test(words) || /^-V\b/.test(words)) ? "other" : known;
  return /^(?:run-?)?tests?(?:\.\w+)?$/.test(name) ? "test" : "other";
}
