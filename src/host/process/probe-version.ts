import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAgent } from "./local-launcher.ts";

/** What a program says when it is asked for its version. */
export interface Probe {
  readonly version: string | null;
  /** Why there is no version, or why it is doubtful; null where all went well. */
  readonly problem: string | null;
}

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;
const MOST_OUTPUT = 64 * 1024;

/**
 * Asks `<binary> --version`. The program sees a home of its own, which is removed afterwards, no key, no proxy, no project
 * and no terminal; whatever it started is ended with it. It has ten seconds, and its output is cut.
 */
export async function probeVersion(binary: string, parent: NodeJS.ProcessEnv, patienceMs = PATIENCE_MS): Promise<Probe> {
  const root = mkdtempSync(join(tmpdir(), "harness-probe-"));
  const home = join(root, "home");
  mkdirSync(home);
  const stdout = openSync(join(root, "stdout"), "wx+", 0o600);
  const stderr = openSync(join(root, "stderr"), "wx+", 0o600);
  try {
    const flaw = await ask(binary, { home, env: probeEnvironment(parent, home), stdio: [stdout, stderr], patienceMs });
    return answerOf(flaw, firstLine(stdout), firstLine(stderr));
  } finally {
    closeSync(stdout);
    closeSync(stderr);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Question {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: readonly [stdout: number, stderr: number];
  readonly patienceMs: number;
}

/** What went wrong, if something did. */
async function ask(binary: string, { home, env, stdio, patienceMs }: Question): Promise<string | undefined> {
  const [stdout, stderr] = stdio;
  const agent = await startAgent({ binary, args: ["--version"], cwd: home, env, cookie: randomUUID(), stdio: ["ignore", stdout, stderr] });
  let looking: NodeJS.Timeout | undefined;
  let waiting: NodeJS.Timeout | undefined;
  const flooded = new Promise<string>((resolve) => {
    const look = () => fstatSync(stdout).size + fstatSync(stderr).size > MOST_OUTPUT && resolve("it printed far more than a version");
    looking = setInterval(look, LOOK_EVERY_MS);
  });
  const late = new Promise<string>((resolve) => {
    waiting = setTimeout(() => resolve(`it did not answer within ${patienceMs / 1000} s`), patienceMs);
  });
  const ended = agent.exited.then(({ exitCode, signal }) => {
    if (exitCode === 0) return undefined;
    return signal === null ? `it exited with code ${exitCode}` : `it was ended by ${signal}`;
  });
  try {
    return await Promise.race([ended, late, flooded]);
  } finally {
    clearInterval(looking);
    clearTimeout(waiting);
    await agent.finish();
  }
}

function answerOf(flaw: string | undefined, stdout: string, stderr: string): Probe {
  const version = /\d+\.\d+[0-9A-Za-z.+-]*/.exec(stdout || stderr)?.[0] ?? null;
  if (flaw === undefined) return { version, problem: version === null ? "it printed no version" : null };
  const words = stderr || stdout;
  return { version, problem: words === "" ? flaw : `${flaw}: ${words}` };
}

/** The first line with something on it, short enough to repeat. */
function firstLine(fd: number): string {
  const buffer = Buffer.alloc(4096);
  const text = buffer.toString("utf8", 0, readSync(fd, buffer, 0, buffer.length, 0));
  return (text.split("\n").find((line) => line.trim() !== "") ?? "").trim().slice(0, 200);
}

/** Where programs are found and how they speak; the version managers that stand in front of some need to know their place. */
const NEEDED =
  "PATH LANG LANGUAGE LC_ALL LC_CTYPE TZ LD_LIBRARY_PATH ASDF_DATA_DIR ASDF_DIR FNM_DIR MISE_DATA_DIR NVM_DIR PYENV_ROOT RBENV_ROOT VOLTA_HOME".split(
    " ",
  );

function probeEnvironment(parent: NodeJS.ProcessEnv, home: string): NodeJS.ProcessEnv {
  const inherited = NEEDED.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]] as const]));
  const directories = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"];
  return {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(directories.map((name) => [name, home])),
    HOME: home,
    TERM: "dumb",
    CI: "1",
    DO_NOT_TRACK: "1",
    NO_UPDATE_NOTIFIER: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}
