import { execFile, execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { BIN, directory, ROOT } from "./harness.ts";

const run = promisify(execFile);

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** Long enough for a busy machine. */
const PATIENCE_MS = 30_000;
const POLL_MS = 50;

export interface Terminal {
  /** Resolves with the screen as soon as it matches. */
  until(wanted: (screen: string) => boolean): Promise<string>;
  screen(escapes?: boolean): Promise<string>;
  keys(...keys: readonly string[]): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  pid(): Promise<number>;
  close(): void;
}

interface Options {
  readonly columns?: number;
  readonly rows?: number;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the built program in a real terminal, after a line of shell output. When it ends, the shell prints its exit code. */
export async function inTmux(args: readonly string[], { columns = 80, rows = 24, env }: Options): Promise<Terminal> {
  const socket = join(directory(), "tmux");
  const tmux = async (...args: readonly string[]) => (await run("tmux", ["-S", socket, "-f", "/dev/null", ...args])).stdout;
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  const program = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ");
  const shell = `cd '${ROOT}'; echo BEFORE; env -u NO_COLOR -u FORCE_COLOR -u CI ${variables.join(" ")} ${program}; echo "EXIT $?"; exec cat`;
  await tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), "bash", "-c", shell);
  const screen = (escapes = false) => tmux("capture-pane", "-p", ...(escapes ? ["-e"] : []));
  return {
    screen,
    async until(wanted) {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        const seen = await screen();
        if (wanted(seen)) return seen;
        if (performance.now() > deadline) throw new Error(`the screen never matched:\n${seen}`);
        await pause(POLL_MS);
      }
    },
    async keys(...keys) {
      for (const key of keys) await tmux("send-keys", ...(key.length === 1 ? ["-l", key] : [key]));
    },
    async resize(width, height) {
      await tmux("resize-window", "-x", String(width), "-y", String(height));
    },
    async pid() {
      const shellPid = (await tmux("list-panes", "-F", "#{pane_pid}")).trim();
      return Number((await run("pgrep", ["-P", shellPid])).stdout.trim().split("\n")[0]);
    },
    close() {
      try {
        execFileSync("tmux", ["-S", socket, "kill-server"], { stdio: "ignore" });
      } catch {
        // The server is gone already.
      }
    },
  };
}
