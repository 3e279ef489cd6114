import { gitCommand, programsIn } from "./category.ts";

/** Options by which programs only say what they would do. */
const LONG =
  /^--(?:dry-?run|just-print|recon|no-act|simulate|simulation|what-?if|print-only|question|touch|noop|no-run|if-present|collect-only|list-?tests?|list|plan|check-only|package-lock-only|download-only|preview)(?:=(?!none$|false$).*)?$/i;

/** Short options mean this only for some programs. */
const SHORT: readonly (readonly [program: RegExp, options: RegExp])[] = [
  [/^g?make$/, /^-(?!-)[a-zA-Z]*[nqt]/],
  [/^(?:apt|apt-get|aptitude)$/, /^-(?!-)[a-zA-Z]*s/],
  [/^(?:rsync|ninja|bundle|mvn|just|task|go|helm)$/, /^-n$/],
];

/** Commands that only show what others would do. */
const SHOWS = /^terraform plan\b/;

/** Whether a command line only pretends: `make -n build`, `git push --dry-run`. Its exit code then shows nothing about what it names. */
export function isDryRun(argv: readonly string[]): boolean {
  return programsIn(argv).some(([name = "", ...args]) => {
    const end = args.indexOf("--");
    const options = (end === -1 ? args : args.slice(0, end)).filter((word) => word.startsWith("-"));
    const isGit = name === "git" && /^(?:push|add|rm|mv|clean|fetch)$/.test(gitCommand([name, ...args])[0] ?? "");
    if (isGit && options.some((word) => /^-(?!-)[a-zA-Z]*n/.test(word))) return true; // `git commit -n` only skips hooks
    const short = SHORT.filter(([program]) => program.test(name)).map(([, each]) => each);
    return options.some((word) => LONG.test(word) || short.some((each) => each.test(word))) || SHOWS.test([name, ...args].join(" "));
  });
}
