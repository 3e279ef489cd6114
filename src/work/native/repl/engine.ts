import { tmpdir } from "node:os";
import { insideProgram, type LineProgram, lineProgram } from "../../../host/process/index.ts";
import { parseObject } from "../../../pure/base/index.ts";
import type { Ask, EngineEnd, FromEngine, ToEngine } from "./engine-message.ts";

export interface EngineLimits {
  /** For one piece of code, not counting requests. Default: 30 s. */
  readonly timeMs?: number;
  /** Default: 256 MB. */
  readonly memoryMb?: number;
  /** How many characters one piece of code may print. Default: 1,000,000. */
  readonly output?: number;
}

/** Receives what a running piece of code prints and requests. */
export interface Listener {
  print(stream: "stdout" | "stderr", chunk: string): void;
  answer(ask: Ask): Promise<unknown>;
}

/** Runs code; later code sees earlier declarations. */
export interface Engine {
  /** Never rejects: the end reports failures. */
  run(code: string, listener: Listener, signal: AbortSignal): Promise<EngineEnd>;
  close(): Promise<void>;
}

/** How long we wait after the limit for code that does not react, and how long a start may take. */
const GRACE_MS = 5_000;
const START_MS = 30_000;

/** Starts with the first piece of code, and again after a failure. After a restart all declarations are gone. */
export function openEngine(context: unknown, { timeMs = 30_000, memoryMb = 256, output = 1_000_000 }: EngineLimits = {}): Engine {
  let program: LineProgram | undefined;
  let hear: (message: FromEngine) => void = () => {};
  let wasBroken = false;

  function start(): LineProgram {
    const started = lineProgram({
      file: insideProgram("repl-engine"),
      nodeFlags: [...fences(), `--max-old-space-size=${memoryMb + 128}`, "--no-warnings"],
      cwd: tmpdir(),
      onLine: (line) => {
        const message = parseObject(line);
        if (message !== undefined && program === started) hear(message as unknown as FromEngine);
      },
    });
    program = started;
    send({ type: "start", context, memoryMb, outputLimit: output });
    return started;
  }

  function send(message: ToEngine): void {
    program?.send(JSON.stringify(message));
  }

  async function run(code: string, listener: Listener, signal: AbortSignal): Promise<EngineEnd> {
    const isNew = program === undefined;
    const lost = isNew && wasBroken ? "(All variables are gone, because the engine had to be started again.) " : "";
    const running = program ?? start();
    let why = "";
    let timer: NodeJS.Timeout | undefined;
    const stop = (reason: string) => {
      why = reason;
      running.kill();
    };
    const patience = (ms: number, reason: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => stop(reason), ms);
    };
    const begin = () => {
      patience(timeMs + GRACE_MS, `It ran for more than ${timeMs / 1000} s and was stopped.`);
      send({ type: "run", code, limitMs: timeMs });
    };
    const cancel = () => stop("Canceled.");
    const ended = new Promise<EngineEnd>((resolve) => {
      void running.gone.then((how) => {
        if (program === running) program = undefined;
        wasBroken = true;
        resolve({ error: why || `The engine ended: ${how}`, truncated: false });
      });
      hear = (message) => {
        if (message.type === "ready") begin();
        else if (message.type === "print") listener.print(message.stream, message.chunk);
        else if (message.type === "end") resolve(message);
        else {
          clearTimeout(timer);
          void reply(listener.answer(message)).then((answer) => {
            patience(timeMs + GRACE_MS, `It ran for more than ${timeMs / 1000} s and was stopped.`);
            send(answer);
          });
        }
      };
    });
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    else if (isNew) patience(START_MS, "The engine did not start.");
    else begin();
    try {
      const { truncated, error, final } = await ended;
      const reason = error === undefined ? undefined : lost + error;
      return { truncated, ...(reason !== undefined && { error: reason }), ...(final !== undefined && { final }) };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      hear = () => {};
    }
  }

  return {
    run,
    async close() {
      const running = program;
      program = undefined;
      running?.kill();
      await running?.gone;
    },
  };
}

async function reply(answer: Promise<unknown>): Promise<ToEngine> {
  try {
    return { type: "reply", value: (await answer) ?? null };
  } catch (error) {
    return { type: "reply", error: error instanceof Error ? error.message : String(error) };
  }
}

/** A second barrier: if Node supports it, the process may not write, start programs or threads, or load native code. */
function fences(): readonly string[] {
  const flag = ["--permission", "--experimental-permission"].find((name) => process.allowedNodeEnvironmentFlags.has(name));
  return flag === undefined ? [] : [flag, "--allow-fs-read=*"];
}
