import { gitCommand } from "../category.ts";
import { isKnown, namesOf, parsed, plain } from "./arguments.ts";
import type { Effect } from "./effect.ts";
import { behind, scripted } from "./launchers.ts";
import { type Called, hides, type Start } from "./start.ts";

/** Settings that name no program and no place. Everything else in `-c name=value` may run something. */
const SAFE =
  /^(?:user|color|init|pull|push|advice|branch|fetch|log|safe|column|format|i18n|rebase|stash|status|tag|help)\.|^core\.(?:autocrlf|quotepath|filemode|eol|safecrlf|ignorecase|longpaths|abbrev|pager=cat$|bare|symlinks)|^(?:commit\.gpgsign|merge\.conflictstyle|diff\.(?:renames|algorithm|context|noprefix|colormoved)|gc\.auto|http\.(?:postbuffer|sslverify)|core\.pager=$)/i;

/** They change nothing in the workspace. */
const READS =
  namesOf(`status diff log show rev-parse rev-list ls-files ls-tree ls-remote blame annotate grep describe shortlog reflog cat-file
  name-rev for-each-ref show-ref symbolic-ref merge-base cherry range-diff whatchanged count-objects check-ignore check-attr check-ref-format
  var version help fsck diff-tree diff-index diff-files verify-commit verify-tag archive bundle show-branch get-tar-commit-id
  add commit push fetch branch tag remote notes config gc prune repack pack-refs update-index update-ref write-tree commit-tree hash-object
  read-tree stage maintenance init rerere fetch-pack send-pack credential fast-export format-patch request-pull`);

/** They change files of the workspace that their text does not name. */
const CHANGES =
  namesOf(`checkout switch restore reset merge rebase pull stash cherry-pick revert apply am clean rm mv clone submodule worktree
  sparse-checkout bisect subtree checkout-index filter-branch replace mergetool difftool svn lfs fast-import unpack-objects`);

export function gitStarts({ args }: Called): readonly Start[] | undefined {
  const before = args.slice(0, args.length - commandOf(args).length);
  const setting = before.find((argument, index) => before[index - 1]?.value === "-c" && !(isKnown(argument) && SAFE.test(argument.value)));
  if (setting !== undefined) return hides(`git -c ${setting.text} can run other programs`);
  if (before.some(({ value }) => /^--(?:exec-path=|config-env)/.test(value))) return hides("git can run other programs with this option");
  const [name, ...rest] = commandOf(args);
  if (name === undefined) return undefined;
  if (!isKnown(name)) return hides(`git ${name.text} becomes known only when it runs`);
  const { value } = name;
  if (value === "bisect" && rest[0]?.value === "run") return behind(rest.slice(1));
  if (value === "submodule" && rest.some((each) => each.value === "foreach")) return scripted(rest.at(-1));
  const texts = parsed(rest, namesOf("x exec upload-pack receive-pack open-files-in-pager O extcmd")).valuesOf(
    ...(value === "rebase" || value === "difftool" ? ["x", "exec", "extcmd"] : ["upload-pack", "receive-pack", "open-files-in-pager"]),
  );
  if (texts.length > 0) return texts.flatMap((text) => scripted(text));
  if (value === "grep" && rest.some((each) => /^-[a-zA-Z]*O/.test(each.value))) return hides("git grep -O runs a pager");
  if (value === "config") return configured(rest);
  if (value === "filter-branch" || value === "mergetool") return hides(`git ${value} can run other programs`);
  return READS.has(value) || CHANGES.has(value)
    ? undefined
    : hides(`git ${value} is not a command of git itself; an alias can run anything`);
}

/** Setting what git runs later. Reading a setting is harmless. */
function configured(args: Called["args"]): readonly Start[] | undefined {
  const { operands, has } = parsed(args, namesOf("f file blob type default"));
  if (has("get", "get-all", "get-regexp", "list", "l", "unset", "unset-all") || ["get", "list", "unset"].includes(operands[0]?.value ?? ""))
    return undefined;
  const [name, ...values] = operands[0]?.value === "set" ? operands.slice(1) : operands;
  if (has("edit", "e") || values.some((each) => !isKnown(each)) || (name !== undefined && !isKnown(name)))
    return hides("git config can set a program");
  if (values.length === 0 || SAFE.test(`${name?.value}=${values[0]?.value}`)) return undefined;
  return hides(`git config ${name?.value} can set a program`);
}

const MESSAGES = namesOf("m message F file c C author date u S reuse-message n depth b B format pretty since until grep");

export const gitEffect: Effect = (args, to) => {
  const [name, ...rest] = commandOf(args);
  const { operands, valuesOf, has } = parsed(
    rest,
    name?.value === "commit" || name?.value === "tag" || name?.value === "log" ? MESSAGES : namesOf("o output"),
  );
  const folders = args.flatMap((argument, index) => (args[index - 1]?.value === "-C" ? [argument] : []));
  if (folders.length > 0 || args.some(({ value }) => /^--(?:work-tree|git-dir)/.test(value)))
    to.elsewhere("git works in another directory");
  switch (name?.value) {
    case "rm":
      for (const operand of operands) to.writes(operand, { tree: has("r") });
      return;
    case "mv":
      for (const operand of operands) to.writes(operand, { tree: true });
      return;
    case "restore":
    case "checkout": {
      const dashes = rest.findIndex(({ value }) => value === "--");
      const paths =
        dashes === -1 ? (name.value === "restore" && !has("p", "patch", "pathspec-from-file") ? operands : []) : rest.slice(dashes + 1);
      for (const path of paths) to.writes(path, { tree: true });
      if (paths.length === 0 && !(has("b", "B") && operands.length <= 1))
        to.elsewhere(`git ${name.value} changes files that it does not name`);
      return;
    }
    case "switch":
      if (!has("c", "C", "create")) to.elsewhere("git switch changes files that it does not name");
      return;
    case "stash":
      if (!["list", "show"].includes(operands[0]?.value ?? "")) to.elsewhere("git stash changes files that it does not name");
      return;
    case "worktree":
      if (operands[0]?.value !== "list") to.elsewhere("git worktree changes files that it does not name");
      return;
    case "reset":
      if (has("hard", "merge", "keep")) to.elsewhere("git reset changes files that it does not name");
      return;
    case "archive":
    case "bundle":
    case "format-patch":
      for (const output of valuesOf("o", "output", "output-directory")) to.writes(output, { tree: true });
      if (valuesOf("o", "output").length === 0) to.elsewhere(`git ${name.value} writes files that it does not name`);
      return;
    case "init":
      to.writes(operands[0] ?? plain("."), {});
      return;
    default:
      if (name === undefined || READS.has(name.value)) {
        for (const output of valuesOf("o", "output")) to.writes(output, {});
        for (const operand of operands) to.reads(operand);
      } else to.elsewhere(`git ${name.text} changes files that it does not name`);
  }
};

function commandOf(args: Called["args"]): Called["args"] {
  const count = gitCommand(["git", ...args.map(({ value }) => value)]).length;
  return args.slice(args.length - count);
}
