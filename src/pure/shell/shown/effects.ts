import type { Argument } from "../argument.ts";
import { archives } from "./archives.ts";
import { isKnown, namesOf, type Parsed, plain } from "./arguments.ts";
import { builtins } from "./builtins.ts";
import { type Effect, known, type Places } from "./effect.ts";
import { filters } from "./filters.ts";
import { gitEffect } from "./git.ts";
import { xargsEffect } from "./launchers.ts";
import { searches } from "./searches.ts";

/** Programs that print, and take text, not files. */
const PRINT = `true false : whoami uname nproc uptime sleep seq expr tput clear yes factor cal arch tty groups logname basename dirname
  getconf locale lscpu free`;

/** Options that mean the same to most programs that print: letters without a value. */
const LETTERS = "-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Programs that only read the files they name, with their options. */
const READ: readonly (readonly [names: string, options: string])[] = [
  [
    "cat nl tac rev",
    "-AbeEnstTuvrp -bdfhilnsvw: --number --show-all --squeeze-blank --show-ends --show-tabs --number-nonblank --separator:",
  ],
  ["head tail", "-0123456789qvzfF -cn: --lines: --bytes: --quiet --silent --verbose --follow --retry"],
  ["wc", "-clmwL --lines --words --chars --bytes --max-line-length"],
  ["cmp", "-bls -in: --silent --quiet --verbose --print-bytes --bytes:"],
  ["comm join paste", "-123isz -adtjov12e: --delimiters: --serial --check-order --nocheck-order --header --total --output-delimiter:"],
  ["cut", "-sz -bcdf: --delimiter: --fields: --bytes: --characters: --complement --only-delimited --output-delimiter:"],
  ["fold fmt expand unexpand pr", "-abistu -wptgl: --width: --tabs: --spaces --initial --first-only"],
  ["column", "-texns -csoNHR: --table --separator: --output-separator: --json --tree:"],
  ["stat", "-Lft -c: --format: --printf: --dereference --file-system --terse"],
  ["file", "-bkLhiNprsz --mime --mime-type --mime-encoding --brief --dereference"],
  ["df", "-ahHiklTP -txB: --all --human-readable --inodes --local --type: --output --total --block-size:"],
  [
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum b2sum",
    "-btz -a: --tag --text --binary --zero --untagged --algorithm: --length:",
  ],
  ["od", "-bcdDfFhHiIlLoOsvxX -AjNtw: --address-radix: --skip-bytes: --read-bytes: --format: --width --output-duplicates"],
  ["hexdump", "-bcCdovx -ens: --canonical --length: --skip: --no-squeezing"],
  ["strings", "-af -net: --all --bytes: --radix: --encoding:"],
  ["realpath", "-eLmPqsz --canonicalize-existing --canonicalize-missing --relative-to: --relative-base: --no-symlinks --strip --quiet"],
  ["readlink", "-efmnqsvz --canonicalize --canonicalize-existing --no-newline --zero"],
  ["bat batcat", "-Apnu -lHrm: --plain --number --language: --line-range: --style: --color: --paging: --decorations: --theme:"],
  ["zcat bzcat xzcat", "-fkqv"],
  ["nm size objdump", "-aABCdDghlnopPrStuvx --demangle --dynamic --defined-only --undefined-only"],
  ["base64 base32", "-di -w: --decode --ignore-garbage --wrap:"],
  ["xxd", "-abeEipruC -cglos: --"],
  ["uniq", "-cdDiuz -fsw: --count --repeated --unique --ignore-case --skip-fields: --skip-chars: --check-chars:"],
  ["shuf", "-erz -in: -o> --echo --input-range: --head-count: --repeat --output>"],
  [
    "sort",
    `-bcCdfghiMnRruVszm -ktS: -o> --reverse --numeric-sort --unique --key: --field-separator: --human-numeric-sort --version-sort
     --general-numeric-sort --ignore-case --stable --check --zero-terminated --month-sort --random-sort --parallel: --output>`,
  ],
  ["diff colordiff", `-abBcdeEiNnpqrsTtuwyZ -CILUWxF: ${diffNames()}`],
  ["less more", "-0123456789cdeEfFgGiIJmMnNqQrRsSuUwWX"],
  ["tr", "-cCdst --complement --delete --squeeze-repeats --truncate-set1"],
];

function diffNames(): string {
  return `--unified --brief --color --side-by-side --recursive --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --new-file
    --suppress-common-lines --strip-trailing-cr --text --width: --exclude: --label: --context --minimal --report-identical-files`;
}

const CURL = `-0123456789afgGiIjkLlnNsSvqZ# -HdXuAbemwrzEtQ: -o> -DTc> --output> --dump-header> --cookie-jar> --upload-file< --header: --data:
  --data-raw: --data-urlencode: --data-binary: --request: --user: --user-agent: --cookie: --referer: --max-time: --write-out: --range:
  --url: --retry: --retry-delay: --connect-timeout: --silent --show-error --fail --location --insecure --include --head --compressed
  --verbose --get --fail-with-body --json: --form: -F: --http1.1 --http2 --no-progress-meter --create-dirs --output-dir> --proxy: --cacert<`;

export const EFFECTS: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ...[...namesOf(PRINT)].map((name) => [name, () => {}] as const),
  ...builtins,
  ...known("date", "-uRI -d: -r< --date: --utc --universal --iso-8601 --rfc-3339: --rfc-email --reference<", () => {}),
  ...known("hostname", "-fsiIdAy", ({ operands }, to) => {
    if (operands.length > 0) to.elsewhere("hostname sets a name");
  }),
  ...known("which whereis id ps numfmt w lsblk nslookup printenv env", `${LETTERS} ${words()}`, () => {}),
  ...known("pgrep who users", `${LETTERS} ${words()}`, plainReads),
  ...known("man apropos", "-fkw --where", ({ operands }, to) => {
    for (const operand of operands) if (!isKnown(operand) || operand.value.includes("/")) to.reads(operand);
  }),
  ...READ.flatMap(([names, options]) => known(names, options, readsOperands)),
  ...known("ls eza exa dir vdir", `${LETTERS} ${lsNames()}`, readsOperands),
  ...known(
    "tree",
    "-adfhilnpqrstuvxACDFJNQSXU -LIPH: -o> --dirsfirst --gitignore --noreport --prune --filelimit: --du --si",
    readsOperands,
  ),
  ...known(
    "du",
    "-0abcDhHklLmPsSx -dBt: --summarize --human-readable --max-depth: --apparent-size --total --all --exclude:",
    readsOperands,
  ),
  ...searches,
  ...filters,
  ...archives,
  ...known("rm", "-dfirRvI --force --recursive --verbose --dir --one-file-system --interactive --preserve-root", (given, to) => {
    for (const operand of given.operands) to.writes(operand, { tree: given.has("r", "R", "recursive") });
  }),
  ...known("mkdir", "-pvZ -m: --parents --mode: --verbose", plainWrites),
  ...known("touch", "-acmhf -dt: -r< --date: --reference< --no-create --time:", plainWrites),
  ...known("truncate", "-co -s: -r< --size: --no-create --reference<", plainWrites),
  ...known("rmdir unlink mkfifo shred", "-pvfuxz -nms: --parents --verbose --force --remove", plainWrites),
  ...known("tee sponge", "-aip --append --ignore-interrupts", plainWrites),
  ...known("chmod chown chgrp", "-cfvRhHLP --recursive --verbose --quiet --silent --changes --reference< --no-dereference", (given, to) => {
    const skipped = given.has("reference") ? 0 : 1;
    for (const operand of given.operands.slice(skipped)) to.writes(operand, { tree: given.has("R", "recursive") });
  }),
  ...known("cp gcp", `-abdfHiLlnPpRrsTuvxZ -tS: ${copyNames()}`, copied),
  ...known(
    "install",
    "-bcCdDpsTv -gmotS: --mode: --owner: --group: --target-directory: --directory --verbose --preserve-timestamps",
    copied,
  ),
  ...known(
    "mv gmv",
    "-bfinTuvZ -tS: --force --no-clobber --verbose --update --interactive --target-directory: --no-target-directory",
    (given, to) => {
      copied(given, to);
      const sources = given.has("t", "target-directory") ? given.operands : given.operands.slice(0, -1);
      for (const source of sources) to.writes(source, { tree: true });
    },
  ),
  ...known("ln gln", "-bdfFiLnPsTvr -tS: --symbolic --force --no-dereference --target-directory: --relative --verbose", linked),
  ...known("mktemp", "-dqut -p> --directory --suffix: --tmpdir> --quiet --dry-run", ({ operands, has }, to) => {
    const isIn = has("t", "p", "tmpdir");
    if (isIn && operands.some((operand) => !isKnown(operand) || operand.value.includes("/")))
      to.elsewhere("a template of mktemp with folders can lead out of its directory");
    if (!isIn && !has("u", "dry-run")) for (const operand of operands) to.writes(operand, {});
  }),
  ["dd", copiesBlocks],
  ["git", gitEffect],
  ["xargs", xargsEffect],
  ["gxargs", xargsEffect],
  ...known("curl", CURL, downloaded),
  ...known(
    "wget",
    "-qvncdSNr -OoPa> -UTt: --output-document> --quiet --no-verbose --no-check-certificate --timeout: --tries:",
    (given, to) => {
      to.connects();
      if (!given.has("O", "output-document")) to.elsewhere("wget does not name the file it writes");
    },
  ),
]);

function words(): string {
  return "--all --skip-alias --sort: --format: --no-headers --name --user --group";
}

function lsNames(): string {
  return `--all --almost-all --color --human-readable --recursive --reverse --sort: --time: --time-style: --group-directories-first --size
    --directory --classify --inode --width: --ignore: --hide: --full-time --format: --tree --level: --long --git --icons --no-user`;
}

function copyNames(): string {
  return `--recursive --archive --force --no-clobber --verbose --update --preserve --parents --target-directory: --no-target-directory
    --reflink --interactive --link --symbolic-link --dereference --no-dereference --backup --suffix: --no-preserve: --one-file-system`;
}

function readsOperands(given: Parsed, to: Places, name: string): void {
  const { operands, has } = given;
  if (name === "tr") return;
  if (/^(?:uniq|xxd)$/.test(name) && operands.length > 1) to.writes(operands[1] as Argument, {});
  if (name === "shuf" && has("e", "echo")) return;
  if (/^(?:less|more)$/.test(name)) for (const { value } of operands) if (value.startsWith("+")) to.hides(`${name} ${value} is a command`);
  // `diff file folder` reads the file of the same name in the folder
  for (const text of given.texts) to.reads(text); // the programs of one line share their options: `-t` has a value for `fold`, and none for `pr`
  for (const operand of operands)
    to.reads(operand, name.endsWith("diff") ? { tree: true, follows: true, descends: has("r", "recursive") } : {});
  if (/^(?:nm|size|objdump|strings)$/.test(name))
    for (const operand of operands) if (operand.value.startsWith("@")) to.reads({ ...operand, value: operand.value.slice(1) });
}

function plainReads({ operands }: Parsed, to: Places): void {
  for (const operand of operands) to.reads(operand);
}

function plainWrites({ operands }: Parsed, to: Places): void {
  for (const operand of operands) to.writes(operand, {});
}

/** Both ends of a link count: what is written to a link later reaches its target, which is named from the link's own directory. */
function linked(given: Parsed, to: Places): void {
  copied(given, to);
  const [folder] = given.valuesOf("t", "target-directory");
  const isOne = given.operands.length < 2;
  const link = folder ?? (isOne ? plain(".") : (given.operands.at(-1) as Argument));
  const around = [link.value, link.value.includes("/") ? link.value.slice(0, link.value.lastIndexOf("/") + 1) : "."];
  to.writes(link, { links: true });
  for (const source of folder !== undefined || isOne ? given.operands : given.operands.slice(0, -1)) {
    if (!given.has("s", "symbolic") || source.value.startsWith("/") || source.home || given.has("r", "relative")) to.writes(source, {});
    else for (const from of around) to.writes({ ...source, value: `${from}/${source.value}` }, {});
  }
}

function copied(given: Parsed, to: Places, name = ""): void {
  const [folder] = given.valuesOf("t", "target-directory");
  const sources = folder === undefined ? given.operands.slice(0, -1) : given.operands;
  const target = folder ?? (given.operands.length > 1 ? given.operands.at(-1) : plain("."));
  const suffix = given.valuesOf("S", "suffix")[0]?.value ?? "";
  if (/[/]/.test(suffix)) to.elsewhere("the suffix of a backup is a path");
  if (given.has("parents")) to.elsewhere("--parents creates folders that are not named");
  if (given.has("d", "directory") && sources.length === 0 && folder === undefined) return plainWrites(given, to);
  if (target !== undefined && sources.length === 0) to.writes(target, { from: target });
  const isLink = name.endsWith("cp") && given.has("s", "symbolic-link", "l", "link");
  for (const source of sources) {
    if (target !== undefined) to.writes(target, source.found === undefined ? { from: source } : { tree: true, links: true, carries: true });
    if (isLink && target !== undefined) to.writes(target, { links: true });
    if (isLink) to.writes(source, { tree: true });
    to.reads(source, { tree: given.has("r", "R", "a", "recursive", "archive"), follows: true, descends: given.has("L", "dereference") });
  }
  return undefined;
}

function copiesBlocks(args: readonly Argument[], to: Places): void {
  for (const argument of args) {
    const { value } = argument;
    const operand = { ...argument, value: value.slice(3), text: value.slice(3) };
    if (!isKnown(argument) && !/^(?:if|of)=/.test(value)) {
      to.elsewhere(`dd ${argument.text} becomes known only when it runs`);
      to.unread(`dd ${argument.text} becomes known only when it runs`);
    } else if (value.startsWith("of=")) to.writes(operand, {});
    else if (value.startsWith("if=")) to.reads(operand);
  }
}

function downloaded(given: Parsed, to: Places): void {
  to.connects();
  for (const text of given.valuesOf(
    "d",
    "data",
    "data-binary",
    "F",
    "form",
    "H",
    "header",
    "data-urlencode",
    "json",
    "b",
    "cookie",
    "w",
    "write-out",
  )) {
    const at = text.value.search(/[@<]/);
    if (at !== -1 && /[;,]/.test(text.value)) to.unread(`curl may read several files for ${text.text}`);
    else if (at !== -1) to.reads({ ...text, value: text.value.slice(at + 1), text: text.value });
  }
  for (const text of given.valuesOf("b", "cookie", "E", "cert")) if (!text.value.includes("=")) to.reads(text);
  for (const { value } of [...given.operands, ...given.valuesOf("url")])
    if (!/^(?:https?:\/\/|[\w.-]+(?::\d+)?(?:\/|$))/i.test(value)) to.unread("curl reads files by file: addresses");
}
