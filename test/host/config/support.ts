import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type LoadedConfig, loadConfig } from "../../../src/host/config/load-config.ts";
import { HarnessError } from "../../../src/pure/base/errors.ts";

const directories: string[] = [];

/** Removes everything the tests of a file have made. */
export function cleanUp(): void {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
}

/** A home with `project/deep` in it, and a way to put files there. */
export function world(files: Readonly<Record<string, string | Buffer>> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "harness-config-")));
  directories.push(root);
  const at = (name: string) => join(root, name);
  const put = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
    return at(name);
  };
  mkdirSync(at("project/deep"), { recursive: true });
  for (const [name, content] of Object.entries(files)) put(name, content);
  return {
    root,
    at,
    put,
    load: (options: Partial<Parameters<typeof loadConfig>[0]> = {}): LoadedConfig =>
      loadConfig({ cwd: at("project/deep"), env: { HOME: root }, ...options }),
  };
}

/** The path of each scope's file in a `world`. */
export const USER = ".config/harness/harness.toml";
export const PROJECT = "project/harness.toml";
export const DEEP = "project/deep/harness.toml";

/** The error that a call throws. */
export function sentence(call: () => unknown): { readonly code: string; readonly message: string } {
  try {
    call();
  } catch (error) {
    if (error instanceof HarnessError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was thrown");
}
