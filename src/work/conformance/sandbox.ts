// Gives every run its own home, XDG folders, temporary folder and git repository.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { makePrivatePlace } from "../../host/process/index.ts";
import { scripted, writeFile } from "../../host/sink/index.ts";
import type { Files } from "./pin.ts";

export interface Sandbox {
  readonly folder: string;
  readonly home: string;
  readonly workspace: string;
  /** `XDG_DATA_HOME`, which holds the runs. */
  readonly data: string;
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

/** `path`: folders to put in front of PATH. */
export function sandbox(files: Files, path: readonly string[] = []): Sandbox {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-conformance-")));
  const { home, workspace, variables } = makePrivatePlace(folder);
  const data = join(folder, "data");
  mkdirSync(data);
  furnish(workspace, files);
  git(workspace, "init", "--quiet", "--initial-branch=main");
  git(workspace, "add", ".");
  git(workspace, "commit", "--quiet", "--message=Begin");
  const environment = {
    // Agents that are scripts run on the same Node as this process.
    PATH: [...path, dirname(process.execPath), process.env["PATH"]].join(delimiter),
    LANG: "C.UTF-8",
    TERM: "dumb",
    ...variables,
    XDG_DATA_HOME: data,
  };
  return { folder, home, workspace, data, environment, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Writes files by name. An object is written as JSON. */
export function furnish(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFile(join(folder, name), scripted(typeof content === "string" ? content : JSON.stringify(content, null, 1)));
  }
}

function git(workspace: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=conformance", "-c", "user.email=conformance@localhost", "-c", "commit.gpgsign=false"];
  execFileSync("git", ["-C", workspace, ...identity, ...args], { stdio: ["ignore", "ignore", "inherit"] });
}
