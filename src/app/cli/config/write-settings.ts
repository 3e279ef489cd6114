import { randomUUID } from "node:crypto";
import { closeSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { CONFIG_NAME, type ConfigFile, type Surroundings, userConfigFile } from "../../../host/config/index.ts";
import { makeDirectories } from "../../../host/files/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { saveText } from "../../terminal/index.ts";
import { settingsTemplate } from "./settings-template.ts";

/** Creates a settings file and returns its path. `force` replaces an existing one completely. */
export function writeSettings(scope: ConfigFile["scope"], around: Surroundings, { force }: { readonly force: boolean }): string {
  const path = scope === "user" ? userConfigFile(around) : join(around.cwd, CONFIG_NAME);
  if (path === undefined) throw new HarnessError("usage", "No home directory for your settings. Set HOME or XDG_CONFIG_HOME.");
  const mode = scope === "user" ? 0o600 : 0o644; // user settings may hold keys
  try {
    makeDirectory(dirname(path));
    if (force) replace(path, settingsTemplate(scope), mode);
    else create(path, settingsTemplate(scope), mode);
  } catch (error) {
    throw writeError(path, error);
  }
  return path;
}

function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) makeDirectories(path, 0o700);
}

/** Writes the whole file, or leaves nothing. */
function create(path: string, text: string, mode: number): void {
  const fd = openSync(path, "wx", mode);
  try {
    saveText(fd, text);
  } catch (error) {
    rmSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Replaces a link instead of following it. */
function replace(path: string, text: string, mode: number): void {
  const temporary = `${path}.${randomUUID()}`;
  create(temporary, text, mode);
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "EEXIST" && "syscall" in error && error.syscall === "open") {
    return new HarnessError("usage", `${path} already exists. Replace it with --force.`);
  }
  return new HarnessError("output", `Cannot write ${path}: ${reasons[String(error.code)] ?? error.message}.`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of the path is not a directory",
  EEXIST: "a part of the path is not a directory",
  EISDIR: "it is a directory",
  ENOENT: "its directory cannot be created",
};
