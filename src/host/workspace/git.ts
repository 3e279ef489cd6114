import { spawn } from "node:child_process";
import { dirname, resolve as resolvePath } from "node:path";
import { codeOf, HarnessError } from "../../pure/base/index.ts";
import { reasonOf } from "../files/index.ts";

export interface GitCall {
  readonly cwd: string;
  /** The only protocol git may use; none if there is nothing to fetch. */
  readonly protocol?: "https" | "file";
  readonly milliseconds?: number;
}

export interface GitResult {
  readonly status: number | null;
  readonly stdout: string;
  /** The last line that gives a reason. */
  readonly reason: string;
}

const SHOWN = 64 * 1024;

/**
 * Runs git so that nothing from a repository runs (no hook, filter, monitor, template, submodule or other protocol) and no one is prompted.
 * Never used in a workspace that an agent can write to: no flag makes git safe there.
 *
 * With a protocol, git reads the user's settings (proxy, certificates, credential helper). Without one it reads none, so no filter has a
 * command.
 */
export function git(args: readonly string[], { cwd, protocol, milliseconds = 600_000 }: GitCall): Promise<GitResult> {
  const settings = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.symlinks=true",
    "core.protectNTFS=true",
    "core.protectHFS=true",
    "init.templateDir=",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "credential.interactive=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "protocol.ext.allow=never",
    ...(protocol === undefined ? [] : [`protocol.${protocol}.allow=always`]),
  ].flatMap((setting) => ["-c", setting]);
  const { promise, resolve, reject } = withResolvers<GitResult>();
  const child = spawn("git", [...settings, ...args], {
    cwd,
    env: environment(cwd, protocol !== undefined),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: milliseconds,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (stdout.length < SHOWN) stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-SHOWN);
  });
  child.on("error", (error) => {
    const missing = codeOf(error) === "ENOENT";
    reject(
      new HarnessError(
        "start",
        missing ? "git is not installed. Install it, or pass a folder." : `git cannot be started: ${reasonOf(error)}.`,
      ),
    );
  });
  child.on("close", (status, signal) => {
    const lines = stderr.split("\n").filter((line) => /\S/.test(line));
    const reason =
      signal === null ? (lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? "no reason given") : "it took too long";
    resolve({ status, stdout, reason: reason.replace(/^(fatal|error): /, "").replace(/\.$/, "") });
  });
  return promise;
}

/** Our environment without any GIT_ variable or ASKPASS program, so that only our own settings apply. */
function environment(cwd: string, withSettings: boolean): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_") && !name.endsWith("ASKPASS"));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "true",
    SSH_ASKPASS: "true",
    GCM_INTERACTIVE: "never",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_CEILING_DIRECTORIES: dirname(resolvePath(cwd)), // a repository further up has settings, too
    ...(!withSettings && { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" }),
  };
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
