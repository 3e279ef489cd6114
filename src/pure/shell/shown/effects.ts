import type { Argument } from "../argument.ts";
import { isKnown, namesOf, type Parsed, parsed, plain } from "./arguments.ts";
import type { Effect, Places } from "./effect.ts";
import { gitEffect } from "./git.ts";
import { sedScripts } from "./interpreters.ts";

/** Programs that print, and take text, not files. */
const PRINT = `echo printf true false : pwd whoami id uname hostname date which type whereis printenv nproc ps free uptime sleep seq expr export unset
  set shopt local declare typeset readonly shift return exit break continue wait read let getopts hash umask ulimit times jobs bg fg kill pgrep
  tput clear yes factor numfmt cal arch tty groups users who w lscpu lsblk cd pushd popd dirs alias unalias help history trap command man
  getconf locale mapfile readarray enable logname nslookup ping caller disown suspend apropos env tr basename dirname test [`;

/** Programs that only read the files they name. */
const READ = `cat head tail nl tac wc egrep fgrep grep ag diff cmp comm join paste cut fold fmt column rev stat file du df ls eza exa md5sum sha1sum
  sha224sum sha256sum sha384sum sha512sum cksum b2sum od hexdump strings realpath readlink lsof tsort look zcat zgrep bzcat
  xzcat colordiff bat batcat expand unexpand pr ptx cloc sloc ldd nm objdump size less more jq rg tree xxd uniq sort shuf
  find fd fdfind gfind`;

const CURL = `o H d X u A b c e F T x m K w r output header data request user user-agent cookie cookie-jar referer form upload-file proxy max-time
  config write-out range output-dir dump-header D data-binary data-raw data-urlencode url retry connect-timeout cert key cacert`;

export const EFFECTS: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ...[...namesOf(PRINT)].map((name) => [name, () => {}] as const),
  ...[...namesOf(READ)].map((name) => [name, reads] as const),
  ...of("rm", "", (args, to) => written(args, to)),
  ...of("rmdir unlink mkdir touch truncate shred mkfifo", "d t r s m n date reference size mode iterations", plainWrites),
  ...of("tee sponge", "", plainWrites),
  ...of("chmod chown chgrp", "reference", (args, to) => {
    const skipped = args.has("reference") ? 0 : 1;
    for (const operand of args.operands.slice(skipped)) to.writes(operand, { tree: args.has("R", "recursive") });
  }),
  ...of("cp install gcp", "t S m o g target-directory suffix mode owner group", copied),
  ...of("mv gmv", "t S target-directory suffix", (args, to) => {
    copied(args, to);
    const sources = args.has("t", "target-directory") ? args.operands : args.operands.slice(0, -1);
    for (const source of sources) to.writes(source, { tree: true });
  }),
  ...of("ln gln", "t S target-directory suffix", linked),
  ...of("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4", "o S", compressed),
  ...of("mktemp", "p suffix tmpdir", temporary),
  ["dd", copiesBlocks],
  ["sed", edited],
  ["gsed", edited],
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, awk] as const),
  ["git", gitEffect],
  ...of("curl", CURL, downloaded),
  ...of("wget", "O o P a output-document output-file directory-prefix append-output", (args, to) => {
    const named = args.valuesOf("O", "output-document", "o", "output-file", "a", "append-output");
    for (const file of named) to.writes(file, {});
    if (args.valuesOf("O", "output-document").length === 0) to.elsewhere("wget does not name the file it writes");
  }),
  ...of("tar bsdtar gtar", "f C X T file directory exclude strip-components", archived),
  ...of("unzip", "d x", (args, to) => {
    if (!args.has("l", "Z", "v", "t", "p")) to.elsewhere("unzip writes files that it does not name");
    for (const operand of args.operands.slice(0, 1)) to.reads(operand);
  }),
  ...of("zip", "x i", (args, to) => {
    for (const operand of args.operands.slice(0, 1)) to.writes(operand, {});
    for (const operand of args.operands.slice(1)) to.reads(operand);
  }),
]);

function of(names: string, values: string, effect: (args: Parsed, to: Places) => void): readonly (readonly [string, Effect])[] {
  const own = namesOf(values);
  return [...namesOf(names)].map(
    (name) =>
      [
        name,
        (args: readonly Argument[], to: Places) => {
          const loose = args.find((argument) => !isKnown(argument) && !isFile(argument));
          if (loose !== undefined) to.elsewhere(`${name} ${loose.text} becomes known only when it runs`);
          effect(parsed(args, own), to);
        },
      ] as const,
  );
}

/** A glob or a list of names: the disk shows what it means. */
function isFile({ variable, runs }: Argument): boolean {
  return !variable && !runs;
}

function written(args: Parsed, to: Places): void {
  for (const operand of args.operands) to.writes(operand, { tree: args.has("r", "R", "recursive") });
}

function plainWrites({ operands }: Parsed, to: Places): void {
  for (const operand of operands) to.writes(operand, {});
}

/** Both ends of a link count: what is written to a link later reaches its target, which is named from the link's own directory. */
function linked(args: Parsed, to: Places): void {
  copied(args, to);
  const [folder] = args.valuesOf("t", "target-directory");
  const isOne = args.operands.length < 2;
  const link = folder ?? (isOne ? plain(".") : (args.operands.at(-1) as Argument));
  const around = [link.value, link.value.includes("/") ? link.value.slice(0, link.value.lastIndexOf("/") + 1) : "."];
  for (const source of folder !== undefined || isOne ? args.operands : args.operands.slice(0, -1)) {
    if (!args.has("s", "symbolic") || source.value.startsWith("/")) to.writes(source, {});
    else for (const from of around) to.writes({ ...source, value: `${from}/${source.value}` }, {});
  }
}

function copied(args: Parsed, to: Places): void {
  const [folder] = args.valuesOf("t", "target-directory");
  const sources = folder === undefined ? args.operands.slice(0, -1) : args.operands;
  const target = folder ?? (args.operands.length > 1 ? args.operands.at(-1) : plain("."));
  if (args.has("d", "directory") && sources.length === 0 && folder === undefined) return plainWrites(args, to);
  if (target !== undefined && sources.length === 0) to.writes(target, { from: target });
  for (const source of sources) {
    if (target !== undefined) to.writes(target, { from: source });
    to.reads(source);
  }
  return undefined;
}

function compressed({ operands, has, valuesOf }: Parsed, to: Places): void {
  for (const output of valuesOf("o")) to.writes(output, {});
  for (const operand of operands) {
    if (has("c", "stdout", "l", "t", "list", "test")) to.reads(operand);
    else to.writes(operand, { tree: has("r") });
  }
}

function temporary({ operands, valuesOf, has }: Parsed, to: Places): void {
  for (const folder of valuesOf("p", "tmpdir")) to.writes(folder, {});
  if (!has("t", "p", "tmpdir", "u")) for (const operand of operands) to.writes(operand, {});
}

/** Options with which programs that read write a file, or run a program. */
const OUTPUT: ReadonlyMap<string, readonly string[]> = new Map([
  ["sort", ["o", "output"]],
  ["shuf", ["o", "output"]],
  ["tree", ["o"]],
  ["less", ["o", "O", "log-file", "LOG-FILE"]],
]);

/** Options that take a value, which is not a file. */
const TEXT: readonly (readonly [program: RegExp, options: ReadonlySet<string>])[] = [
  [/^(?:grep|egrep|fgrep|zgrep)$/, namesOf("e A B C m d D regexp max-count include exclude exclude-dir")],
  [/^(?:rg|ag)$/, namesOf("e A B C m g t T j M regexp glob type type-not max-count max-depth sort")],
  [/^(?:head|tail)$/, namesOf("n c lines bytes")],
  [/^cut$/, namesOf("d f b c delimiter fields")],
  [/^(?:sort|shuf|tree|less)$/, namesOf("k t S o L I P n output")],
  [/^(?:fd|fdfind)$/, namesOf("e t d E S extension type max-depth exclude")],
];

function reads(args: readonly Argument[], to: Places, name: string): void {
  if (name === "find" || name === "gfind") return searched(args, to);
  const options = parsed(args, TEXT.find(([program]) => program.test(name))?.[1] ?? new Set());
  const outputs = OUTPUT.get(name);
  if (outputs !== undefined) {
    for (const output of options.valuesOf(...outputs)) to.writes(output, {});
    if (args.some((argument) => argument.splits && !isFile(argument)))
      to.elsewhere(`${name} gets options that become known only when it runs`);
  }
  const isPattern = /grep$|^(?:rg|ag|jq|fd|fdfind|look)$/.test(name) && !options.has("e", "regexp", "f", "file", "files");
  const files = options.operands.slice(isPattern ? 1 : 0);
  if ((name === "uniq" || name === "xxd") && files.length > 1) to.writes(files[1] as Argument, {});
  for (const file of files) to.reads(file);
  return undefined;
}

function searched(args: readonly Argument[], to: Places): void {
  const first = args.findIndex(({ value }) => /^(?:-[^HLP]|[()!,]$)/.test(value));
  const starts = (first === -1 ? args : args.slice(0, first)).filter(({ value }) => !/^-[HLP]$/.test(value));
  const names = args.flatMap((argument, index) => (args[index - 1]?.value === "-name" && isKnown(argument) ? [argument.value] : []));
  const isNegated = args.some(({ value }) => /^(?:!|-not|-o|-or)$/.test(value));
  const named = names.length === 1 && !isNegated ? names[0] : undefined;
  for (const start of starts) to.reads(start);
  if (args.some(({ value }) => value === "-delete"))
    for (const start of starts.length > 0 ? starts : [plain(".")]) to.writes(start, { tree: true, ...(named !== undefined && { named }) });
  for (const [index, { value }] of args.entries())
    if (/^-(?:fprint|fprint0|fprintf|fls)$/.test(value) && args[index + 1] !== undefined) to.writes(args[index + 1] as Argument, {});
}

function copiesBlocks(args: readonly Argument[], to: Places): void {
  for (const argument of args) {
    const { value } = argument;
    const operand = { ...argument, value: value.slice(3), text: value.slice(3) };
    if (value.startsWith("of=")) to.writes(operand, {});
    else if (value.startsWith("if=")) to.reads(operand);
    else if (!isKnown(argument)) to.elsewhere(`dd ${argument.text} becomes known only when it runs`);
  }
}

/** Only scripts without the commands and flags that write: `w`, `W`. */
const SED_WRITES = /(?:^|[;{}\n]|[\d$/,!]\s*)\s*[wW]\s|[/|#,@!:][gpiIm0-9]*w\s/;

function edited(args: readonly Argument[], to: Places): void {
  const { operands, has, valuesOf } = parsed(args, namesOf("e f l expression file line-length"));
  const scripts = sedScripts(args);
  const files = valuesOf("e", "expression").length > 0 || has("f", "file") ? operands : operands.slice(1);
  const isInPlace = args.some(({ value }) => /^-[nErsuz]*i|^--in-place/.test(value));
  if (has("f", "file")) to.elsewhere("the script of sed is in a file");
  if (args.some((argument) => argument.splits && !isFile(argument))) to.elsewhere("sed gets options that become known only when it runs");
  if (scripts.some(({ value }) => SED_WRITES.test(value))) to.elsewhere("the script of sed writes a file");
  for (const file of files) {
    if (isInPlace) to.writes(file, {});
    else to.reads(file);
  }
}

function awk(args: readonly Argument[], to: Places): void {
  const { operands, has } = parsed(args, namesOf("F v f i assign field-separator file"));
  if (has("f", "file", "i", "inplace")) to.elsewhere("the program of awk is in a file, or changes files");
  if (/print[^;}\n]*>/.test(operands[0]?.value ?? "")) to.elsewhere("the program of awk writes a file");
  for (const file of operands.slice(1)) to.reads(file);
}

function downloaded(args: Parsed, to: Places): void {
  for (const file of args.valuesOf("o", "output", "D", "dump-header", "c", "cookie-jar", "output-dir")) to.writes(file, {});
  for (const file of args.valuesOf("T", "upload-file", "K", "config")) to.reads(file);
  for (const text of args.valuesOf("d", "data", "data-binary", "F", "form")) {
    const at = text.value.indexOf("@");
    if (at !== -1) to.reads({ ...text, value: text.value.slice(at + 1), text: text.value.slice(at + 1) });
  }
  if (args.has("O", "remote-name", "J", "K", "config", "remote-name-all")) to.elsewhere("curl does not name the file it writes");
}

/** `tar xzf a.tgz` writes what is in the archive. */
function archived(args: Parsed, to: Places): void {
  const first = args.operands[0]?.value ?? "";
  const isOld = /^[a-zA-Z]+$/.test(first) && !args.has("x", "c", "t", "extract", "create", "list", "get");
  const letters = isOld ? first : "";
  if (args.has("t", "list") || letters.includes("t")) return;
  if (args.has("c", "create") || letters.includes("c")) {
    const files = [...args.valuesOf("f", "file"), ...(isOld && letters.includes("f") ? args.operands.slice(1, 2) : [])];
    for (const file of files) if (file.value !== "-") to.writes(file, {});
    return;
  }
  to.elsewhere("tar writes files that it does not name");
}
