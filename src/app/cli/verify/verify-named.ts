import { oneLine } from "../../../pure/base/index.ts";
import { type Verification, type VerifyOptions, verify } from "../../../work/observe/index.ts";
import { FAILED, inTerminal, say, setExitCode, withFlags, write } from "../../terminal/index.ts";
import { namedAgent } from "../options/index.ts";

export interface VerifyFlags {
  readonly agent?: string;
  readonly allowedSigners?: string;
  readonly signer: readonly string[];
  readonly signed?: readonly string[];
  readonly json?: true;
}

/** `harness verify`: prints every flaw; the first one is usually the cause of the others. */
export async function verifyNamed(name: string, { agent, allowedSigners, signer: names, signed, json }: VerifyFlags): Promise<void> {
  const given = agent === undefined ? undefined : await namedAgent(agent);
  const verified = await verify(name, {
    agent: given,
    allowedSigners,
    signers: names.length === 0 ? undefined : names,
    signed: signed as VerifyOptions["signed"],
    onNotice: say,
  });
  const found = { ...verified, unchecked: verified.unchecked.map(withFlags) };
  if (!found.ok) setExitCode(FAILED);
  if (json || !inTerminal()) return write(`${JSON.stringify(found)}\n`);
  const { id, ok, records, head, signer, compliance, unchecked, flaws } = found;
  const intact = head === null ? "intact" : `intact: ${records} records, head ${head}`;
  const lines = [
    `${id ?? name} is ${ok ? intact : "not intact:"}`,
    ...flaws.map(sentence),
    ...(signer === undefined ? [] : [`signed by ${signer}`]),
    ...unchecked.map((what) => `not checked: ${what}`),
    `minimally compliant: ${compliance.minimal ? "yes" : `no (missing: ${compliance.missing.join(", ")})`}`,
  ];
  await write(lines.map((line) => `${oneLine(line)}\n`).join(""));
}

function sentence({ file, line, offset, problem }: Verification["flaws"][number]): string {
  const where = [line === undefined ? "" : `line ${line}`, offset === undefined ? "" : `byte ${offset}`]
    .filter((part) => part !== "")
    .join(", ");
  return `${file}${where === "" ? "" : ` (${where})`}: ${problem}`;
}
