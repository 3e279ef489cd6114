import { readFile } from "node:fs/promises";
import { codeOf, errorWords, HarnessError } from "../../../pure/base/index.ts";
import { standardInput } from "../../terminal/index.ts";

/** The prompt from `--prompt`, `--prompt-file` or standard input, unchanged. */
export async function readPrompt({ prompt, promptFile }: { readonly prompt?: string; readonly promptFile?: string }): Promise<string> {
  if (prompt !== undefined && promptFile !== undefined)
    throw new HarnessError("usage", "--prompt and --prompt-file cannot be combined. Remove one of them.");
  if (prompt !== undefined) return prompt;
  if (promptFile !== undefined && promptFile !== "-") return textOf(await readBytes(promptFile), `the prompt file ${promptFile}`);
  if (promptFile === undefined && process.stdin.isTTY)
    throw new HarnessError("usage", 'Missing prompt. Pass --prompt "…" or --prompt-file <file>, or write it to standard input.');
  const chunks: Uint8Array[] = [];
  for await (const chunk of standardInput()) chunks.push(chunk);
  return textOf(Buffer.concat(chunks), "standard input");
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = codeOf(error);
    const why = reasons[code] ?? errorWords(error);
    throw new HarnessError("input", `Cannot read the prompt file ${path}: ${why}.`, { cause: error });
  }
}

/** Bytes that are not UTF-8 would reach the agent changed. */
function textOf(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new HarnessError("input", `Cannot use ${what} as a prompt: it is not UTF-8 text. Convert it first.`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is not a directory",
};
