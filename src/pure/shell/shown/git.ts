import type { Argument } from "../argument.ts";
import { gitCommand } from "../category.ts";
import { isKnown, namesOf, optionsOf, type Parsed, parsed, plain } from "./arguments.ts";
import { type Effect, judged, type Places } from "./effect.ts";
import { gitOptions } from "./git-options.ts";
import { behind, scripted } from "./launchers.ts";
import { type Called, hides, type Start } from "./start.ts";

/** Settings that name no program and no place. Everything else in `-c name=value` may run something. */
const SAFE =
  /^(?:user|color|init|pull|push|advice|branch|fetch|log|safe|column|format|i18n|rebase|stash|status|tag|help)\.|^core\.(?:autocrlf|quotepath|filemode|eol|safecrlf|ignorecase|longpaths|abbrev|pager=cat$|bare|symlinks)|^(?:commit\.gpgsign|merge\.conflictstyle|diff\.(?:renames|algorithm|context|noprefix|colormoved)|gc\.auto|http\.(?:postbuffer|sslverify)|core\.pager=$)/i;

/** They change files of the workspace that their text does not name. */
const CHANGES =
  namesOf(`checkout switch restore reset merge rebase pull stash cherry-pick revert apply am clean rm mv clone submodule worktree
  sparse-checkout bisect subtree checkout-index replace difftool svn lfs fast-import unpack-objects read-tree init`);

/** They contact the remote. */
const REMOTE = namesOf("push pull fetch clone ls-remote fetch-pack send-pack lfs svn p4 send-email imap-send request-pull");

/** They print contents of files that git tracks. */
const CONTENT = namesOf(
  "diff show log grep blame annotate whatchanged cat-file archive format-patch bundle diff-tree diff-index diff-files range-diff",
);

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
  return gitOptions(value) !== undefined || CHANGES.has(value) || REMOTE.has(value)
    ? undefined
    : hides(`git ${value} is not a command of git that is known; an alias can run anything`);
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
  if (CONTENT.has(name)) mentioned(given.valuesOf("S", "L", "e"), to);
  if (CONTENT.has(name)) printed(name, given, paths, to);
  switch (name) {
    case "rm":
      for (const operand of operands) to.writes(operand, { tree: has("r") });
      return;
    case "mv":
      for (const operand of operands) to.writes(operand, { tree: true });
      return;
    case "restore":
    case "checkout": {
      const files = paths ?? (name === "restore" ? operands : []);
      for (const path of files) to.writes(path, { tree: true });
      const isNew = has("b", "B") && operands.length === 0;
      if (files.length === 0 && !isNew) to.elsewhere(`git ${name} changes files that it does not name`);
      return;
    }
    case "switch":
      if (!has("c", "C", "create")) to.elsewhere("git switch changes files that it does not name");
      return;
    case "stash":
      if (first?.value === "show") printed("show", given, paths, to);
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
      to.writes(first ?? plain("."), {});
      return;
    case "config":
      for (const file of given.valuesOf("f", "file")) to.writes(file, {});
      return;
  }
}

/** `HEAD:src/a.ts` is about src/a.ts. */
function mentioned(operands: readonly Argument[], to: Places): void {
  for (const operand of operands) {
    const colon = operand.value.indexOf(":");
    to.reads(operand);
    if (colon !== -1 && isKnown(operand)) to.reads(plain(operand.value.slice(colon + 1).replace(/^\d+:/, "")));
  }
}

const SUMMARY = ["stat", "shortstat", "numstat", "name-only", "name-status", "summary", "quiet", "no-patch", "s", "dirstat", "check"];
const PATCH = ["p", "u", "patch", "U", "unified", "L", "c", "cc", "W", "function-context", "patch-with-stat"];

/** Contents that a command of git prints: of the named files, or of everything that git tracks here. */
function printed(name: string, given: Parsed, paths: readonly Argument[] | undefined, to: Places): void {
  const { operands, has } = given;
  if (name === "diff" && has("no-index")) {
    for (const operand of operands) to.reads(operand, { tree: true });
    return;
  }
  const isQuiet = name === "log" || name === "whatchanged" ? !has(...PATCH) : has(...SUMMARY) && !has(...PATCH);
  if (isQuiet || name === "blame" || name === "annotate") return;
  if ((name === "show" || name === "cat-file") && operands.length > 0 && operands.every(({ value }) => /^[\w./~^@{}-]*:[^:]/.test(value)))
    return;
  if (name === "cat-file" && has("t", "s", "e")) return;
  if (paths === undefined || paths.length === 0) return to.reads(plain("."), { tree: true, tracked: true });
  for (const path of paths) {
    const isPlain = isKnown(path) && !/^:|[*?[]/.test(path.value);
    to.reads(isPlain ? path : plain("."), { tree: true, tracked: true });
  }
}

function commandOf(args: Called["args"]): Called["args"] {
  const count = gitCommand(["git", ...args.map(({ value }) => value)]).length;
  return args.slice(args.length - count);
}
