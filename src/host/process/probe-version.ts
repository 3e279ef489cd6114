import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onlyVariables } from "./environment.ts";
import type { Launcher } from "./launcher.ts";
import { type ProgramEnd, runProgram } from "./run-program.ts";

/** What a program prints for `--version`. */
export interface Probe {
  readonly version: string | null;
  /** Why there is no version, or why it is doubtful; null if all went well. */
  readonly problem: string | null;
  /** It did not even exit with 0. */
  readonly isBroken: boolean;
}

const PATIENCE_MS = 10_000;
const MOST_OUTPUT = 64 * 1024;
const KEPT = 4096;

/**
 * Runs `<binary> --version`. The program gets a temporary home and no key, proxy, project or terminal; everything it starts ends with it.
 * It has ten seconds, and its output is cut.
 */
export async function probeVersion(
  binary: string,
  parent: NodeJS.ProcessEnv,
  { patienceMs = PATIENCE_MS, launcher }: { readonly patienceMs?: number; readonly launcher?: Launcher } = {},
): Promise<Probe> {
  const home = mkdtempSync(join(tmpdir(), "harness-probe-"));
  try {
    const env = probeEnvironment(parent, home);
    const bounds = { output: MOST_OUTPUT };
    const end = await runProgram({ binary, args: ["--version"], cwd: home, env, timeoutMs: patienceMs, maxOutput: KEPT, bounds, launcher });
    return answerOf(flawOf(end, patienceMs), firstLine(end.stdout), firstLine(end.stderr));
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function flawOf({ exitCode, signal, isTimedOut, exceeded }: ProgramEnd, patienceMs: number): string | undefined {
  if (exceeded !== undefined) return "it printed far more than a version";
  if (isTimedOut) return `it did not answer within ${patienceMs / 1000} s`;
  if (exitCode === 0) return undefined;
  return signal === null ? `it exited with code ${exitCode}` : `it was ended by ${signal}`;
}

function answerOf(flaw: string | undefined, stdout: string, stderr: string): Probe {
  const version = /\d+\.\d+[0-9A-Za-z.+-]*/.exec(stdout || stderr)?.[0] ?? null;
  if (flaw === undefined) return { version, problem: version === null ? "it printed no version" : null, isBroken: false };
  const said = stderr || stdout;
  return { version, problem: said === "" ? flaw : `${flaw}: ${said}`, isBroken: true };
}

/** The first line that is not blank, short enough to repeat. */
function firstLine(text: string): string {
  return (text.split("\n").find((line) => line.trim() !== "") ?? "").trim().slice(0, 200);
}

/** How programs are found and in which language they print, and the variables that version managers need. */
const NEEDED =
  "PATH LANG LANGUAGE LC_ALL LC_CTYPE TZ LD_LIBRARY_PATH ASDF_DATA_DIR ASDF_DIR FNM_DIR MISE_DATA_DIR NVM_DIR PYENV_ROOT RBENV_ROOT VOLTA_HOME".split(
    " ",
  );

function probeEnvironment(parent: NodeJS.ProcessEnv, home: string): NodeJS.ProcessEnv {
  const directories = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"];
  return {
    ...onlyVariables(NEEDED, parent),
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
