import type { Argument } from "../argument.ts";
import { type Parsed, plain } from "./arguments.ts";
import { type Effect, known, type Places } from "./effect.ts";

const TAR = `-cxtrujJzZvpkmhWOPaSlo -fC: -X< --create --extract --get --list --gzip --bzip2 --xz --zstd --verbose --file: --directory: --exclude:
  --strip-components: --to-stdout --auto-compress --no-same-owner --exclude-vcs --wildcards`;

const TARS = new Map(known("tar bsdtar gtar", TAR, archived));

export const archives: readonly (readonly [string, Effect])[] = [
  ...[...TARS].map(([name, effect]) => [name, (args: readonly Argument[], to: Places) => effect(dashed(args), to, name)] as const),
  ...known("unzip", "-lvtpqonjZ -dxP: ", ({ has, operands }, to) => {
    if (!has("l", "Z", "v", "t", "p")) to.elsewhere("unzip writes files that it does not name");
    for (const operand of operands.slice(0, 1)) to.reads(operand);
  }),
  ...known("zip", "-0123456789rqvjuyFo -x: --recurse-paths --quiet --exclude:", ({ operands, has }, to) => {
    for (const operand of operands.slice(0, 1)) {
      to.writes(operand, { carries: true });
      to.writes({ ...operand, value: `${operand.value}.zip` }, { carries: true });
    }
    for (const operand of operands.slice(1)) to.reads(operand, { tree: has("r", "recurse-paths"), follows: true });
  }),
  ...known(
    "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4",
    "-0123456789cdfklnqrtvT -o> --stdout --keep --decompress --force --list --test",
    compressed,
  ),
];

/** `tar czf x` is `tar -czf x`, if only the last letter takes a value. */
function dashed(args: readonly Argument[]): readonly Argument[] {
  const [first, ...rest] = args;
  if (first === undefined || !/^[a-zA-Z]+$/.test(first.value) || /[fCX](?!$)/.test(first.value)) return args;
  return [{ ...first, value: `-${first.value}` }, ...rest];
}

/** `tar xzf a.tgz` writes what is in the archive. */
function archived({ operands, has, valuesOf }: Parsed, to: Places): void {
  const files = valuesOf("f", "file").filter(({ value }) => value !== "-");
  for (const { value } of files) if (value.includes(":")) to.connects();
  if (has("C", "directory")) to.unread("tar works in another directory");
  if (has("c", "create")) {
    for (const file of files) to.writes(file, { carries: true });
    for (const operand of operands) to.reads(operand, { tree: true, follows: has("h"), descends: has("h") });
    return;
  }
  for (const file of files) to.reads(file);
  if (!has("t", "list") && !has("O", "to-stdout")) to.elsewhere("tar writes files that it does not name");
}

function compressed({ operands, has }: Parsed, to: Places, name: string): void {
  const only = has("c", "stdout", "l", "t", "list", "test");
  for (const operand of operands) {
    to.reads(operand);
    if (only) continue;
    to.writes(operand, { tree: has("r") });
    for (const made of ["gz", "bz2", "xz", "zst", "lz4"]) to.writes({ ...operand, value: `${operand.value}.${made}` }, {});
  }
  if (operands.some(({ splits }) => splits) && !only) to.writes(plain("."), { tree: true });
  if (/^un|^gun|^bun/.test(name) && !only) to.elsewhere(`${name} does not name the file it writes`);
}
