import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writeAtomically } from "../../host/files/index.ts";
import { type ProgramEnd, runProgram } from "../../host/process/index.ts";
import { errorWords, HarnessError } from "../../pure/base/index.ts";

/** The purpose of a signature, so that one made for a different purpose does not count. */
const NAMESPACE = "harness-observation";
const TIMEOUT_MS = 30_000;

export function signatureOf(path: string): string {
  return `${path}.sig`;
}

/** Signs the file with `ssh-keygen -Y sign`; never asks for a passphrase. */
export async function sign(path: string, key: string): Promise<void> {
  writeAtomically(signatureOf(path), await signed(readFileSync(path), key));
}

/** Throws if the key cannot sign, before anything runs. */
export async function checkKey(key: string): Promise<void> {
  if (!isFile(key)) throw new HarnessError("usage", `Key not found: ${key}. Name an SSH key.`);
  await signed(Buffer.from("harness"), key);
}

async function signed(bytes: Buffer, key: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "harness-sign-"));
  try {
    const file = join(folder, "seal");
    writeFileSync(file, bytes, { mode: 0o600 });
    const { exitCode, stderr } = await sshKeygen(["-Y", "sign", "-f", resolve(key), "-n", NAMESPACE, file]);
    if (exitCode === 0) return readFileSync(`${file}.sig`, "utf8");
    const why = stderr.trim().split("\n")[0] ?? "";
    const remedy = "If the key has a passphrase, add it to your SSH agent and name its public key";
    throw new HarnessError("usage", `Cannot sign with ${key}: ${why === "" ? "ssh-keygen failed" : why}. ${remedy}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The allowed signer who signed it, or why none counts. */
export async function signerOf(path: string, allowedSigners: string): Promise<{ readonly signer: string } | { readonly problem: string }> {
  const signature = signatureOf(path);
  if (!isFile(allowedSigners)) throw new HarnessError("usage", `File not found: ${allowedSigners}. See ALLOWED SIGNERS in ssh-keygen(1).`);
  if (!existsSync(signature)) return { problem: "it is not signed" };
  const signers = resolve(allowedSigners);
  const found = await sshKeygen(["-Y", "find-principals", "-s", signature, "-f", signers]);
  const signer = found.stdout.trim().split("\n")[0] ?? "";
  if (found.exitCode !== 0 || signer === "") return { problem: "none of the allowed signers signed it" };
  const args = ["-Y", "verify", "-f", signers, "-I", signer, "-n", NAMESPACE, "-s", signature];
  const { exitCode } = await sshKeygen(args, readFileSync(path, "utf8"));
  return exitCode === 0 ? { signer } : { problem: "its signature does not match" };
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
