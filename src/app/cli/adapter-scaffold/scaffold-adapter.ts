import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { makeDirectories, reasonOf } from "../../../host/files/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { saveText, write } from "../../terminal/index.ts";
import { adapterFiles } from "./adapter-files.ts";

export interface AdapterScaffoldFlags {
  readonly lang: "ts" | "python";
  readonly output?: string;
}

export async function scaffoldAdapter(name: string, { lang, output = name }: AdapterScaffoldFlags): Promise<void> {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name))
    throw new HarnessError("usage", `Invalid name: ${name}. Use letters, digits, - and _, and start with a letter.`);
  if (existsSync(output) && readdirSync(output).length > 0)
    throw new HarnessError("usage", `${output} is not empty. Choose another directory with -o.`);
  made(output);
  for (const [file, text] of adapterFiles(name, lang)) {
    saveText(join(output, file), text);
    await write(`${join(output, file)}\n`);
  }
}

function made(directory: string): void {
  try {
    makeDirectories(directory, 0o777);
  } catch (error) {
    throw new HarnessError("output", `Cannot create ${directory}: ${reasonOf(error)}. Choose another directory with -o.`, { cause: error });
  }
}
