import type { Argument } from "../argument.ts";
import { gitCommand } from "../category.ts";
import { isKnown, namesOf, optionsOf, type Parsed, parsed, plain } from "./arguments.ts";
import { type Effect, judged, type Places } from "./effect.ts";
import { gitOptions } from "./git-options.ts";
import { behind, scripted } from "./launchers.ts";
import { type Called, hides, type Start } from "./start.ts";

/** Settings that name no program and no place. Everything else in `-c name=value` may run something. */
const SAFE =
  /^(?:user|color|pull|push|advice|branch|fetch|log|safe|column|i18n|rebase|stash|status|tag)\.|^init\.defaultbranch|^format\.pretty|^core\.(?:autocrlf|quotepath|filemode|eol|safecrlf|ignorecase|longpaths|abbrev|pager=cat$|bare|symlinks)|^(?:commit\.gpgsign|merge\.conflictstyle|diff\.(?:renames|algorithm|context|noprefix|colormoved)|gc\.auto|http\.(?:postbuffer|sslverify)|core\.pager=$)/i;

/** They change files of the workspace that their text does not name. */
const CHANGES =
  namesOf(`checkout switch restore reset merge rebase pull stash cherry-pick revert apply am clean rm mv clone submodule worktree
  sparse-checkout bisect subtree checkout-index replace difftool svn lfs fast-import unpack-objects read-tree init`);

/** They contact the remote. */
const REMOTE = namesOf("push pull fetch clone ls-remote fetch-pack send-pack lfs svn p4 send-email imap-send request-pull");

/** They print names, numbers and messages, never contents, unless an option says so. Every other command may print contents. */
const PRINTS_NONE =
  namesOf(`status rev-parse rev-list ls-files ls-tree describe shortlog reflog log name-rev for-each-ref show-ref symbolic-ref merge-base cherry
  count-objects check-ignore check-attr check-ref-format var version help verify-commit verify-tag show-branch stash add stage update-index
  update-ref write-tree hash-object gc prune pack-refs rm mv restore init worktree commit tag branch checkout switch reset remote config`);

export function gitStarts({ args }: Called): readonly Start[] | undefined {
  const before = args.slice(0, args.length - commandOf(args).length);
  const setting = before.find((argument, index) => before[index - 1]?.value === "-c" && !(isKnown(argument) && SAFE.test(argument.value)));
  if (setting !== undefined) return hides(`git -c ${setting.text} can run other programs`);
  const other = before.find(({ value }, index) => !(/^-[cC]$/.test(before[index - 1]?.value ?? "") || GLOBAL.test(value)));
  if (other !== undefined) return hides(`git ${other.text} can run other programs`);
  const [name, ...rest] = commandOf(args);
  if (name === undefined) return undefined;
  if (!isKnown(name)) return hides(`git ${name.text} becomes known only when it runs`);
  const { value } = name;
  if (value === "bisect" && rest[0]?.value === "run") return behind(rest.slice(1));
  if (value === "submodule" && rest.some((each) => each.value === "foreach")) return scripted(rest.at(-1));
  if (value === "config") return configured(rest);
  if (gitOptions(value) !== undefined) return undefined;
  if (!CHANGES.has(value) && !REMOTE.has(value))
    return hides(`git ${value} is not a command of git that is known; an alias can run anything`);
  const strange = rest.find((each) => !isKnown(each) || !isHarmless(value, each.value));
  return strange === undefined ? undefined : hides(`git ${value} ${strange.text} can run other programs`);
}

/** Options of commands that change or fetch, and operands that are not addresses of programs. */
function isHarmless(name: string, value: string): boolean {
  if (!value.startsWith("-")) return !/^(?:ext|fd)::/.test(value);
  if (name === "clean" || (name === "push" && value === "-u")) return /^-[a-zA-Z]+$|^--[\w-]+$/.test(value);
  return /^(?:-[abdfghjklmnpqrtvwyzA-Z\d]+|--(?:all|tags|force|force-with-lease|set-upstream|delete|prune|dry-run|verbose|quiet|rebase|no-rebase|ff-only|no-ff|ff|squash|no-commit|no-edit|abort|continue|skip|quit|depth=\d+|branch=\S+|single-branch|bare|mirror|recursive|recurse-submodules|init|hard|soft|mixed|onto|interactive|autostash|no-verify|progress|index|include-untracked|keep-index|staged|cached|detach|unshallow|heads|refs|atomic|signoff|edit|mainline|ours|theirs|strategy-option=\S+)?)$/.test(
    value,
  );
}

const GLOBAL = /^(?:-[cC]|--(?:no-pager|version|help|no-optional-locks|literal-pathspecs|bare|git-dir|work-tree|git-dir=.*|work-tree=.*))$/;

/** Setting what git runs later. Reading a setting is harmless. */
function configured(args: Called["args"]): readonly Start[] | undefined {
  const { operands, has } = parsed(args, optionsOf("-fF: --file: --blob: --type: --default:"));
  if (has("get", "get-all", "get-regexp", "list", "l", "unset", "unset-all") || ["get", "list", "unset"].includes(operands[0]?.value ?? ""))
    return undefined;
  const [name, ...values] = operands[0]?.value === "set" ? operands.slice(1) : operands;
  if (has("edit", "e") || values.some((each) => !isKnown(each)) || (name !== undefined && !isKnown(name)))
    return hides("git config can set a program");
  if (values.length === 0 || SAFE.test(`${name?.value}=${values[0]?.value}`)) return undefined;
  return hides(`git config ${name?.value} can set a program`);
}

export const gitEffect: Effect = (args, to) => {
  const [name, ...rest] = commandOf(args);
  const other = args.find(({ value }, index) => args[index - 1]?.value === "-C" || /^--(?:work-tree|git-dir)/.test(value));
  if (other !== undefined) {
    to.elsewhere("git works in another directory");
    to.unread("git works in another directory");
  }
  if (name === undefined || !isKnown(name)) return;
  to.reads(plain("."), { repository: true });
  if (REMOTE.has(name.value)) to.connects();
  const options = gitOptions(name.value);
  if (options === undefined) return to.elsewhere(`git ${name.value} changes files that it does not name`);
  const dashes = rest.findIndex(({ value }) => value === "--");
  judged("git", parsed(rest, options), (given) => effectOf(name.value, given, dashes === -1 ? undefined : rest.slice(dashes + 1), to), to);
};

function effectOf(name: string, given: Parsed, paths: readonly Argument[] | undefined, to: Places): void {
  const { operands, has } = given;
  const [first] = operands;
  mentioned(operands, to);
  mentioned(given.valuesOf("S", "L", "e", "n", "G", "U"), to);
  printed(name, given, paths, to);
  switch (name) {
    case "rm":
      for (const operand of operands) to.writes(operand, { tree: has("r") });
      return;
    case "mv":
      for (const operand of operands) to.writes(operand, { tree: true, links: true });
      return;
    case "restore":
    case "checkout": {
      const files = paths ?? (name === "restore" ? operands : []);
      for (const path of files) to.writes(path, { tree: true, links: true });
      const isNew = has("b", "B") && operands.length === 0;
      if (files.length === 0 && !isNew) to.elsewhere(`git ${name} changes files that it does not name`);
      return;
    }
    case "switch":
      if (!has("c", "C", "create") || operands.length > 0) to.elsewhere("git switch changes files that it does not name");
      return;
    case "stash":
      if (!["list", "show"].includes(first?.value ?? "")) to.elsewhere("git stash changes files that it does not name");
      return;
    case "worktree":
      if (first?.value !== "list") to.elsewhere("git worktree changes files that it does not name");
      return;
    case "remote":
      if (has("f") || !["get-url", "add", "set-url", "rename", "remove", "rm", undefined].includes(first?.value)) to.connects();
      return;
    case "reset":
      if (has("hard", "merge", "keep")) to.elsewhere("git reset changes files that it does not name");
      return;
    case "archive":
      if (has("remote")) to.connects();
      return;
    case "format-patch":
    case "bundle":
      to.elsewhere(`git ${name} writes files that it does not name`);
      return;
    case "init":
      to.writes(first ?? plain("."), { links: true });
      return;
    case "config":
      for (const file of given.valuesOf("f", "file")) to.writes(file, {});
      return;
  }
}

/** `HEAD:src/a.ts` is about src/a.ts, from the top of the repository; `HEAD:./a.ts` from here. */
function mentioned(operands: readonly Argument[], to: Places): void {
  for (const operand of operands) {
    const colon = operand.value.indexOf(":");
    to.reads(operand);
    if (colon === -1 || !isKnown(operand)) continue;
    const path = operand.value.slice(colon + 1).replace(/^\d+:/, "");
    to.reads(plain(path));
    if (!/^\.\.?\//.test(path)) to.reads(plain("."), { top: path });
  }
}

const SUMMARY = ["stat", "shortstat", "numstat", "name-only", "name-status", "summary", "quiet", "no-patch", "s", "dirstat"];
const PATCH = ["p", "u", "patch", "U", "unified", "L", "c", "cc", "W", "function-context", "binary", "word-diff", "color-words", "check"];

/** Whether a command prints nothing of what is in files. */
function isQuiet(name: string, { operands, has, valuesOf }: Parsed, revisions: readonly Argument[]): boolean {
  if (name === "show" && !revisions.every((each) => isKnown(each) && COMMIT.test(each.value))) return false;
  if (name === "stash" ? operands[0]?.value === "show" : !PRINTS_NONE.has(name))
    return (has(...SUMMARY) && !has(...PATCH)) || (name === "cat-file" && has("t", "s", "e", "batch-check"));
  if (/^(?:status|commit)$/.test(name)) return !has("v", "verbose", "p", "patch");
  if (/^(?:add|stage|checkout|reset|restore)$/.test(name)) return !has("p", "patch", "i", "interactive", "e", "edit");
  if (/^(?:for-each-ref|tag|branch)$/.test(name))
    return !has("format") || ![...operands, ...valuesOf("format")].some((each) => !isKnown(each) || /raw|contents|body/.test(each.value));
  return !/^(?:log|reflog|stash|shortlog|rev-list|show-branch)$/.test(name) || !has(...PATCH);
}

/** One file in a commit: `HEAD:src/a.ts`. */
const FILE = /^(?:[\w./~^-]|@\{\d+\}|@)*:(?:\d:)?[^:/][^:]*$/;

/** What can only be a commit. A bare hash or name may also mean the contents of a file, which `git show --stat` prints. */
const COMMIT = /^(?:HEAD|@)(?:@\{[^}]*\}|~\d*|\^\d*)*$|^[^:]*(?:~\d*|\^\d*|\^\{commit\})$|^:\/[^:]*$|\.\./;

/** Contents that a command of git prints: of the named files, of everything that git tracks here, or of whatever it has stored. */
function printed(name: string, given: Parsed, paths: readonly Argument[] | undefined, to: Places): void {
  const { operands, has } = given;
  const named = paths ?? [];
  const others = operands.filter((operand) => !named.includes(operand));
  if (isQuiet(name, given, others) || name === "blame" || name === "annotate") return;
  const isLoose = has("no-index", "untracked", "others", "o");
  if (name === "diff" && has("no-index")) for (const operand of operands) to.reads(operand, { tree: true });
  const revisions = others.slice(name === "grep" && !has("e") ? 1 : 0);
  if (/^(?:show|cat-file)$/.test(name) && operands.length > 0 && operands.every(({ value }) => FILE.test(value) || value === "blob"))
    return;
  if (named.length > 0 && !has("follow")) {
    for (const path of named) {
      const isPlain = isKnown(path) && !/^:|[*?[\\]/.test(path.value);
      to.reads(isPlain ? path : plain("."), { tree: true, ...(!isLoose && { tracked: true }) });
    }
    return;
  }
  const isHere = /^(?:diff|grep|status|commit|add|stage|checkout|reset|restore|diff-files)$/.test(name) && !has("follow");
  if (!isHere)
    return to.unread(
      `git ${name} prints what git has stored of files that it does not name; name them after --${name === "show" ? ", or use git log --stat" : ""}`,
    );
  for (const each of revisions) to.reads(each, { tree: true, tracked: true, stored: `git ${name} ${each.text}` });
  if (revisions.length === 0) to.reads(plain("."), { tree: true, ...(!isLoose && { tracked: true }) });
}

function commandOf(args: Called["args"]): Called["args"] {
  const count = gitCommand(["git", ...args.map(({ value }) => value)]).length;
  return args.slice(args.length - count);
}
