import { constants } from "node:os";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { HarnessError } from "../../pure/base/index.ts";
import { GUARD_NAME } from "./guardian.ts";
import type { LaunchExit } from "./launcher.ts";
import { childrenOf, processFile, processIds, processStat } from "./process-files.ts";
import type { Times } from "./resource-meter.ts";

const CAUGHT = "HUP INT QUIT PIPE ALRM TERM USR1 USR2";

/**
 * Runs inside the walls as the agent's parent, because the program that builds them reports a signal as an exit code. Its own stderr is the
 * report: there the shell says that a signal ended the agent, which it does not say of SIGINT and SIGPIPE. It stays until the recorder has
 * counted what the agent left, or is dead; then the walls fall, and the kernel ends everything inside.
 */
const INSIDE = `exec 5>&2 2>&4
trap : ${CAUGHT}
echo started >&4
( trap - ${CAUGHT}; exec 2>&5 4>&- 5>&-; exec "$@" )
status=$?
trap '' ${CAUGHT}
times >&4
echo "exit $status" >&4
exec </dev/null >/dev/null 2>&1 5>&-
read -r _ `;

/** How a program gets its walls. */
export interface Enclosure {
  /** Turns a command into one that builds them first. */
  wrap(command: readonly string[]): readonly string[];
  /** The environment of the program that builds them. Default: that of the program inside. */
  readonly env?: NodeJS.ProcessEnv;
  /** The directory in which they are built. Default: that of the program inside. */
  readonly cwd?: string;
  /** The first process inside. Default: the only child of the one that builds them. */
  readonly first?: () => number | undefined;
  /** Inside, a file in which nothing is ever written. Default: the report itself, which is a socket. */
  readonly hold?: string;
}

/** A program inside walls: the process that builds them, the first one inside, its only child, and the program. */
export interface Walled {
  /** How the program ended; if its parent died before it could say so, how that one died. */
  exited(builder: Promise<LaunchExit>): Promise<LaunchExit>;
  signal(name: NodeJS.Signals): void;
  /** How many processes there are besides the program itself. Null if unknown. */
  leftovers(): number | null;
  /** Lets the walls fall. `builder` resolves when the program that built them has ended. */
  end(builder: Promise<unknown>): Promise<void>;
  /** Resolves when the kernel has ended everything inside. */
  gone(): Promise<void>;
  /** The first process inside. */
  readonly leader: () => number | undefined;
  /** Why the walls were not built. */
  unbuilt(stderr: string): HarnessError | undefined;
  readonly agent: () => number | undefined;
  readonly times: () => Times | undefined;
}

export const inWalls = {
  command: (command: readonly string[], hold?: string): readonly string[] => [
    "/bin/sh",
    "-c",
    `${INSIDE}${hold === undefined ? "<&4" : `<${hold}`}`,
    GUARD_NAME,
    ...command,
  ],
  watch: watchWalled,
};

const PAUSE_MS = 5;
/** The kernel ends a namespace in milliseconds; one that waits for a disk takes longer. */
const PATIENCE_MS = 10_000;

function watchWalled(builder: number, report: Duplex, find: Enclosure["first"]): Walled {
  let said = "";
  let first: number | undefined;
  let bridge: number | undefined;
  let settle = (_: LaunchExit) => {};
  const reported = new Promise<LaunchExit>((resolve) => {
    settle = resolve;
  });
  const closed = new Promise<void>((resolve) => {
    report.on("error", () => {}).on("close", resolve);
  });
  report.on("data", (chunk: Buffer) => {
    said += chunk.toString("latin1");
    init();
    bridge ??= bridgeIn(said, first);
    const exit = exitIn(said);
    if (exit !== undefined) settle(exit);
  });

  /** The first process inside. */
  function init(): number | undefined {
    first ??= find === undefined ? childrenOf(builder)[0] : find();
    return first;
  }

  const parent = () => first && childrenOf(first).find((pid) => pid !== bridge);
  const agent = () => {
    const usher = said.includes("started\n") ? parent() : undefined;
    return usher && childrenOf(usher)[0];
  };

  function inside(): readonly number[] {
    const top = init();
    if (top === undefined) return [];
    const usher = parent(); // it was there first
    return descendantsOf(top).filter((pid) => pid !== usher && pid !== bridge);
  }

  return {
    async exited(ended) {
      const last = ended.then(async (exit) => {
        await Promise.race([closed, pause(PATIENCE_MS, undefined, { ref: false })]);
        return exitIn(said) ?? unmapped(exit);
      });
      return await Promise.race([reported, last]);
    },
    signal(name) {
      for (const pid of inside()) if (Number(processStat(pid)[2]) === first) send(pid, name);
    },
    leftovers() {
      return exitIn(said) === undefined && first === undefined ? null : inside().filter(isAlive).length;
    },
    async end(built) {
      report.end();
      if (find === undefined) return;
      const top = init(); // a container does not end with the program that started it
      if (top !== undefined) send(top, "SIGKILL");
      await Promise.race([built, pause(PATIENCE_MS, undefined, { ref: false })]);
    },
    leader: init,
    async gone() {
      if (find !== undefined) await Promise.race([closed, pause(PATIENCE_MS, undefined, { ref: false })]);
      for (let waited = 0; first !== undefined && isAlive(first) && waited < PATIENCE_MS; waited += PAUSE_MS) await pause(PAUSE_MS);
    },
    unbuilt: (stderr) => (!said.includes("started\n") && UNBUILT.test(stderr) ? unbuilt(stderr) : undefined),
    agent,
    times: () => timesIn(said),
  };
}

/** The process that carries the network of a sealed run, by the number that it has inside. */
function bridgeIn(said: string, first: number | undefined): number | undefined {
  const [, inside] = /^bridge (\d+)$/m.exec(said) ?? [];
  if (inside === undefined || first === undefined) return undefined;
  return childrenOf(first).find((pid) => /^NSpid:.*\t(\d+)$/m.exec(processFile(pid, "status").toString("latin1"))?.[1] === inside);
}

/** What those say that build walls. */
const UNBUILT = /^(?:bwrap|harness-bridge|Error|docker): /;

function unbuilt(stderr: string): HarnessError {
  const [line = ""] = stderr.split("\n", 1);
  return new HarnessError("start", `The walls cannot be built: ${line.slice(line.indexOf(": ") + 2).replace(/\.$/, "")}.`, {
    option: "isolate",
  });
}

/** The program that builds the walls reports signal n as the code 128 + n. The line `engine` is from the one that started a container. */
function unmapped({ exitCode, signal }: LaunchExit): LaunchExit {
  const name = exitCode === null ? undefined : signalOf(exitCode);
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name };
}

function exitIn(said: string): LaunchExit | undefined {
  const [whole = "", code] = /^(?:exit|engine) (\d+)$/m.exec(said) ?? [];
  if (code === undefined || !said.includes(`${whole}\n`)) return undefined;
  const exitCode = Number(code);
  if (whole.startsWith("engine")) return unmapped({ exitCode, signal: null });
  const words = said.slice(0, said.indexOf(whole)).split("\n");
  const isSignal = words.some((line) => line !== "" && line !== "started" && !TIMES.test(line) && !line.startsWith("bridge "));
  const signal = isSignal ? signalOf(exitCode) : undefined;
  return signal === undefined ? { exitCode, signal: null } : { exitCode: null, signal };
}

function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
}

const TIMES = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/;

/** The second line of `times` is about the children. */
function timesIn(said: string): Times | undefined {
  const fields = said
    .split("\n")
    .filter((line) => TIMES.test(line))[1]
    ?.match(TIMES);
  if (fields == null) return undefined;
  const [, userMinutes, user, systemMinutes, system] = fields.map(Number);
  const ms = (minutes = 0, seconds = 0) => Math.round((minutes * 60 + seconds) * 1000);
  return { userMs: ms(userMinutes, user), systemMs: ms(systemMinutes, system) };
}

function descendantsOf(top: number): readonly number[] {
  const parents = new Map(processIds().map((pid) => [pid, Number(processStat(pid)[1])]));
  const isBelow = (pid: number | undefined, depth = 0): boolean =>
    pid !== undefined && depth < 10_000 && (pid === top || isBelow(parents.get(pid), depth + 1));
  return [...parents.keys()].filter((pid) => pid !== top && isBelow(pid));
}

function isAlive(pid: number): boolean {
  const [state] = processStat(pid);
  return state !== undefined && state !== "Z" && state !== "X";
}

function send(pid: number, name: NodeJS.Signals): void {
  for (const each of [name, "SIGCONT"] as const) {
    try {
      process.kill(pid, each);
    } catch {
      // It has ended.
    }
  }
}
