// A separate program: QuickJS compiled to WebAssembly, without access to files, network, processes or environment variables. It runs code
// that a model wrote. It reads and writes one JSON object per line, and blocks while it waits for an answer.
import { readSync } from "node:fs";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { maskedLater, writeFully } from "../../../host/sink/index.ts";
import { errorWords } from "../../../pure/base/index.ts";
import type { EngineEnd, FromEngine, ToEngine } from "./engine-message.ts";
import { PRELUDE } from "./prelude.ts";
import { withVars } from "./with-vars.ts";

/** Global code that may use `await`: JS_EVAL_FLAG_ASYNC, which the library does not name. */
const WITH_AWAIT = 128;
const PAGES_PER_MB = 16;
const STACK = 256 * 1024;
/** Prints are sent in batches, and immediately once there are this many characters. */
const BATCH = 4 * 1024;
const BATCH_MS = 50;
const MOST_ERROR = 4000;

const parent = process.ppid;

/** Missing in Node's types. */
const { Memory } = Reflect.get(globalThis, "WebAssembly") as {
  Memory: new (size: { initial: number; maximum: number }) => NonNullable<Parameters<typeof newVariant>[1]["wasmMemory"]>;
};

async function main(): Promise<void> {
  const hear = lines();
  const first = hear();
  if (first?.type !== "start") return;
  // The library's own limit lets an endless list of texts grow to 2 GB (0.32); a memory with a maximum cannot.
  const wasmMemory = new Memory({ initial: 16 * PAGES_PER_MB, maximum: Math.max(16, first.memoryMb) * PAGES_PER_MB });
  const sync = variant as unknown as QuickJSSyncVariant; // its types describe the CommonJS build
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(sync, { wasmMemory }) as QuickJSSyncVariant);
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK);
  const vm = runtime.newContext();
  const block = openBlock(first.outputLimit, hear);
  runtime.setInterruptHandler(() => block.isOver());
  const host = vm.newFunction("host", (name, json) => vm.newString(block.host(vm.getString(name), vm.getString(json), first.context)));
  vm.setProp(vm.global, "host", host);
  host.dispose();
  const begun = vm.evalCode(PRELUDE, "prelude.js");
  if (begun.error) throw new Error(textOf(vm.dump(begun.error)));
  begun.value.dispose();
  send({ type: "ready" });
  for (let message = hear(); message !== undefined; message = hear()) {
    if (message.type !== "run") continue;
    block.begin(message.limitMs);
    send({ type: "end", ...block.end(evaluated(vm, runtime, message.code, block.isOver)) });
  }
}

/** Runs a piece of code to its end and returns its error. */
function evaluated(vm: QuickJSContext, runtime: QuickJSRuntime, code: string, isOver: () => boolean): string | undefined {
  const result = vm.evalCode(withVars(code), "program.js", WITH_AWAIT);
  if (result.error) {
    const flaw = textOf(vm.dump(result.error));
    result.error.dispose();
    return flaw;
  }
  const promise = result.value;
  try {
    while (runtime.hasPendingJob() && !isOver()) {
      const jobs = runtime.executePendingJobs(100);
      if (jobs.error) jobs.error.dispose();
    }
    const state = vm.getPromiseState(promise);
    if (state.type === "rejected") {
      const error = textOf(vm.dump(state.error));
      state.error.dispose();
      return error;
    }
    if (state.type === "fulfilled" && !state.notAPromise) state.value.dispose();
    if (isOver()) return "InternalError: interrupted";
    return state.type === "pending" ? "It waits forever: no pending promise can settle." : undefined;
  } finally {
    promise.dispose();
  }
}

function textOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return `Uncaught ${String(thrown)}`;
  const { name = "Error", message = "", stack = "" } = thrown as { name?: unknown; message?: unknown; stack?: unknown };
  const where = /program\.js:(\d+)/.exec(String(stack))?.[1];
  return `${String(name)}: ${String(message)}${where === undefined ? "" : ` (line ${where})`}`.slice(0, MOST_ERROR);
}

/** The state of one running piece of code: its clock, its output, its requests. */
function openBlock(outputLimit: number, hear: () => ToEngine | undefined) {
  let limitMs = 0;
  let deadline = Number.POSITIVE_INFINITY;
  let printed = 0;
  let truncated = false;
  let final: string | undefined;
  let waiting: { stream: "stdout" | "stderr"; chunk: string } | undefined;
  let flushedAt = 0;

  function flush(): void {
    if (waiting !== undefined) send({ type: "print", ...waiting });
    waiting = undefined;
    flushedAt = performance.now();
  }

  function print(stream: "stdout" | "stderr", said: string): void {
    const chunk = said.slice(0, Math.max(0, outputLimit - printed));
    if (chunk.length < said.length) truncated = true;
    printed += chunk.length;
    if (chunk === "") return;
    if (waiting !== undefined && waiting.stream !== stream) flush();
    waiting = { stream, chunk: (waiting?.chunk ?? "") + chunk };
    if (waiting.chunk.length >= BATCH || performance.now() - flushedAt > BATCH_MS) flush();
  }

  /** The clock stops while a request is answered, however long that takes. */
  function ask(json: string): string {
    flush();
    const started = performance.now();
    send({ type: "ask", ...JSON.parse(json) });
    const reply = hear();
    if (reply?.type !== "reply") process.exit(0);
    deadline += performance.now() - started;
    return JSON.stringify(reply);
  }

  return {
    begin(ms: number): void {
      limitMs = ms;
      deadline = performance.now() + ms;
      printed = 0;
      truncated = false;
      final = undefined;
    },
    end(error: string | undefined): EngineEnd {
      flush();
      const reason = error?.includes("interrupted") ? `It ran for more than ${limitMs / 1000} s and was stopped.` : error;
      return { truncated, ...(reason !== undefined && { error: reason }), ...(final !== undefined && { final }) };
    },
    /** Also true when our parent is gone. */
    isOver: () => performance.now() > deadline || process.ppid !== parent,
    host(name: string, json: string, context: unknown): string {
      if (name === "ask") return ask(json);
      if (name === "context") return JSON.stringify(context ?? null);
      const { stream, chunk, final: answer } = JSON.parse(json);
      if (name === "final") final = String(answer);
      else print(stream === "stderr" ? "stderr" : "stdout", String(chunk));
      return "";
    },
  };
}

function send(message: FromEngine): void {
  const { error } = writeFully(1, maskedLater(`${JSON.stringify(message)}\n`));
  if (error !== undefined) process.exit(0); // no one reads
}

/** Waits for the next line of standard input; undefined at its end. */
function lines(): () => ToEngine | undefined {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  let kept: Buffer[] = [];
  let rest = Buffer.alloc(0);
  return () => {
    for (;;) {
      const end = rest.indexOf(10);
      if (end !== -1) {
        const line = Buffer.concat([...kept, rest.subarray(0, end)]).toString("utf8");
        kept = [];
        rest = rest.subarray(end + 1);
        return JSON.parse(line);
      }
      kept.push(rest);
      const count = readSync(0, buffer);
      if (count === 0) return undefined;
      rest = Buffer.from(buffer.subarray(0, count));
    }
  };
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    writeFully(2, maskedLater(`${errorWords(error)}\n`));
    process.exit(1);
  },
);
