import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import { writeAtomically } from "../../files/index.ts";
import { type ProgramEnd, runProgram } from "../../process/index.ts";
import { ownBytes, recorded, writeFile } from "../../sink/index.ts";

/** The purpose of a signature, so that one made for a different purpose does not count. */
const NAMESPACE = "harness-observation";
const TIMEOUT_MS = 30_000;

export function signatureOf(path: string): string {
  return `${path}.sig`;
}

/** Signs the file with `ssh-keygen -Y sign`; never asks for a passphrase. */
export async function sign(path: string, key: string): Promise<void> {
  writeAtomically(signatureOf(path), ownBytes(await signed(readFileSync(path), key)));
}

/** Throws if the key cannot sign, before anything runs. */
export async function checkKey(key: string): Promise<void> {
  if (!isFile(key)) throw new HarnessError("usage", `Key not found: ${key}. Name an SSH key.`, { option: "sign" });
  await signed(Buffer.from("harness"), key);
}

async function signed(bytes: Buffer, key: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "harness-sign-"));
  try {
    const file = join(folder, "seal");
    writeFile(file, recorded(bytes), { mode: 0o600 });
    const { exitCode, stderr } = await sshKeygen(["-Y", "sign", "-f", resolve(key), "-n", NAMESPACE, file]);
    if (exitCode === 0) return readFileSync(`${file}.sig`, "utf8");
    throw new HarnessError("usage", `Cannot sign with ${key}: ${refusal(stderr, key)}`, { option: "sign" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why ssh-keygen did not sign, with the remedy. It surrounds the most common reason with a frame of @. */
function refusal(stderr: string, key: string): string {
  const mode = /^Permissions (\d+) for/m.exec(stderr)?.[1];
  if (mode !== undefined) return `its permissions ${mode} let others read it. Run: chmod 600 ${key}`;
  const why =
    stderr
      .split("\n")
      .find((line) => /[a-z]/i.test(line))
      ?.trim() ?? "ssh-keygen failed";
  return `${why}. If the key has a passphrase, add it to your SSH agent and name its public key.`;
}

/** The signature next to a file: absent, broken, or valid, with the principals of its key among the allowed signers. */
export type Signature =
  | { readonly state: "absent" | "broken" }
  | { readonly state: "valid"; readonly signers: readonly string[] }
  | { readonly state: "unchecked"; readonly reason: string };

/** Without allowed signers, it is only checked that the signature is over this very file. */
export async function signatureState(path: string, allowedSigners: string | undefined): Promise<Signature> {
  const signature = signatureOf(path);
  if (allowedSigners !== undefined && !isFile(allowedSigners))
    throw new HarnessError("usage", `File not found: ${allowedSigners}. See ALLOWED SIGNERS in ssh-keygen(1).`, {
      option: "allowedSigners",
    });
  if (!existsSync(signature)) return { state: "absent" };
  if (!isFile(signature) || !isFile(path)) return { state: "broken" };
  try {
    const text = readFileSync(path, "utf8");
    const { exitCode } = await sshKeygen(["-Y", "check-novalidate", "-n", NAMESPACE, "-s", signature], text);
    if (exitCode !== 0) return { state: "broken" };
    return { state: "valid", signers: allowedSigners === undefined ? [] : await signersOf(signature, resolve(allowedSigners), text) };
  } catch (error) {
    if (allowedSigners === undefined && error instanceof HarnessError) return { state: "unchecked", reason: error.message };
    throw error;
  }
}

async function signersOf(signature: string, allowed: string, text: string): Promise<readonly string[]> {
  const found = await sshKeygen(["-Y", "find-principals", "-s", signature, "-f", allowed]);
  const names = found.exitCode === 0 ? found.stdout.split("\n").filter((name) => name !== "") : [];
  const signers: string[] = [];
  for (const name of names) {
    const { exitCode } = await sshKeygen(["-Y", "verify", "-f", allowed, "-I", name, "-n", NAMESPACE, "-s", signature], text);
    if (exitCode === 0) signers.push(name);
  }
  return signers;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Does not run in the current directory: all paths must be absolute. */
async function sshKeygen(args: readonly string[], stdin?: string): Promise<ProgramEnd> {
  const env = { ...process.env, SSH_ASKPASS_REQUIRE: "never", LC_ALL: "C" };
  try {
    return await runProgram({
      binary: "ssh-keygen",
      args,
      cwd: tmpdir(),
      env,
      timeoutMs: TIMEOUT_MS,
      ...(stdin !== undefined && { stdin }),
    });
  } catch (error) {
    throw new HarnessError("start", `Signatures need ssh-keygen, of OpenSSH 8.1 or later: ${errorWords(error)}`, { cause: error });
  }
}
