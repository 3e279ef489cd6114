import { type Options, optionsOf } from "./arguments.ts";

/** Options of commands that print commits, trees and differences. */
const PRINT = `-0123456789abcghiklpqrstuvwzABCDEHIKMPQRTWX -nSGLUe: --oneline --graph --all --stat --shortstat --numstat --name-only --name-status
  --summary --patch --no-patch --unified: --color --no-color --decorate --no-decorate --abbrev-commit --abbrev --pretty --format --date: --since:
  --until: --after: --before: --author: --committer: --grep: --max-count: --skip: --reverse --merges --no-merges --first-parent --follow --cached
  --staged --word-diff --color-words --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --exit-code --quiet
  --no-index --no-renames --find-renames --find-copies --diff-filter: --diff-algorithm: --histogram --patience --minimal --no-prefix --raw
  --full-index --binary --text --function-context --inter-hunk-context: --relative --submodule --no-ext-diff --no-textconv --check --cc --root
  --short --long --porcelain --branch --branches --tags --remotes --show-stash --untracked-files --ignored --ahead-behind --no-ahead-behind
  --left-right --cherry-pick --cherry-mark --topo-order --date-order --author-date-order --boundary --simplify-by-decoration --full-history
  --show-current --list --contains: --no-contains: --merged: --no-merged: --sort: --points-at: --column --verbose --show-signature --count
  --abbrev-ref --show-toplevel --show-prefix --git-dir --is-inside-work-tree --verify --symbolic --symbolic-full-name --show-cdup --absolute-git-dir
  --git-common-dir --is-bare-repository --always --dirty --exact-match --match: --exclude: --long --candidates: --first-line --others --modified
  --deleted --exclude-standard --stage --full-name --error-unmatch --directory --unmerged --killed --line-number --ignore-case --word-regexp
  --fixed-strings --extended-regexp --perl-regexp --files-with-matches --files-without-match --heading --break --show-function --no-line-number
  --and --or --not --invert-match --max-depth: --untracked --independent --is-ancestor --fork-point --octopus --heads --hash --dereference
  --summary --numbered --email --no-walk --object-names --batch-check --textconv --perl-regexp --all-match --pickaxe-regex --pickaxe-all
  --dirstat --stdin --name-rev --refs: --null --walk-reflogs --no-notes --notes --show-notes --incremental --line-porcelain --reset-author`;

/** Options of commands that change only what git stores. */
const STORE = `-adfimnprsuvxADMqzN -mFcCtbo: --all --force --update --patch --dry-run --intent-to-add --chmod: --renormalize --verbose --message:
  --amend --no-edit --no-verify --author: --date: --allow-empty --allow-empty-message --signoff --quiet --file< --fixup: --only --include --reset-author
  --no-gpg-sign --trailer: --delete --move --copy --set-upstream-to: --unset-upstream --track --no-track --annotate --sign --list --sort: --merged
  --no-merged --contains --points-at --format: --local --global --system --get --get-all --get-regexp --unset --unset-all --add --replace-all
  --type: --bool --int --show-origin --show-scope --name-only --null --default: --assume-unchanged --no-assume-unchanged --refresh --cached --remove
  --prune --aggressive --auto --soft --mixed --hard --merge --keep --staged --worktree --source: --ours --theirs --detach --create: --orphan
  --include-untracked --keep-index --index --bare --initial-branch: --shared --no-recurse-submodules --show-current --short --column --edit
  --ignore-removal --ignore-errors --sparse --recurse-submodules --discard-changes --guess --no-guess --remotes --abbrev --no-abbrev`;

const BY_NAME = new Map<string, string>([
  ...`status diff log show rev-parse rev-list ls-files ls-tree blame annotate grep describe shortlog reflog cat-file name-rev for-each-ref show-ref
  symbolic-ref merge-base cherry range-diff whatchanged count-objects check-ignore check-attr check-ref-format var version help diff-tree
  diff-index diff-files verify-commit verify-tag show-branch`
    .split(/\s+/)
    .map((name) => [name, PRINT] as const),
  ...`add stage update-index update-ref write-tree hash-object gc prune pack-refs rm mv restore init worktree`
    .split(/\s+/)
    .map((name) => [name, STORE.replace("-mFcCtbo:", "-s:")] as const),
  ["commit", STORE.replace("-adfimnprsuvxADMqzN -mFcCtbo:", "-aeinpqsvz -mcC: -Ft<")],
  ["tag", STORE.replace("-adfimnprsuvxADMqzN -mFcCtbo:", "-adfilnsv -mu: -F<")],
  ["branch", STORE.replace("-adfimnprsuvxADMqzN -mFcCtbo:", "-adfilqrtvcCDM -u:").replace("-adfilqrtvcCDM", "-adfilmqrtvcCDM")],
  ["checkout", STORE.replace("-mFcCtbo:", "-bB:")],
  ["switch", STORE.replace("-mFcCtbo:", "-cC:")],
  ["reset", STORE.replace("-mFcCtbo:", "")],
  ["stash", `${STORE.replace("-adfimnprsuvxADMqzN -mFcCtbo:", "-akpquS -m:")} --stat`],
  ["remote", "-vftmn --verbose --push --all --add --delete --tags --no-tags"],
  ["config", STORE.replace("-adfimnprsuvxADMqzN -mFcCtbo:", "-lz -f:").replace("--file<", "--file:")],
  ["archive", "-lv0123456789 -o> --output> --format: --prefix: --remote: --list --verbose"],
  ["format-patch", "-0123456789knsp -o> --output-directory> --root --stdout --numbered --cover-letter --signoff --zero-commit"],
  ["bundle", "-q --all --quiet --progress"],
]);

const parsedByName = new Map<string, Options>();

/** The options that a command of git is known to have. Undefined: the command itself is not known. */
export function gitOptions(name: string): Options | undefined {
  const text = BY_NAME.get(name);
  if (text === undefined) return undefined;
  const found = parsedByName.get(name) ?? optionsOf(`${text} --help`);
  parsedByName.set(name, found);
  return found;
}
