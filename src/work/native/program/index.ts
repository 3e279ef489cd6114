// The program of the agents that are part of this package: reads its prompt from standard input, prints the events of specification 002,
// one JSON object per line, and ends when its agent has. `harness run` records it like any other agent.
import { createHash } from "node:crypto";
import { writeFully } from "../../../host/files/index.ts";
import { errorWords, HarnessError, version } from "../../../pure/base/index.ts";
import type { HarnessEvent } from "../../../pure/events/index.ts";
import { newId } from "../new-id.ts";
import { prepare } from "./prepare.ts";
import type { Prepared } from "./prepared.ts";
import { readOptions } from "./read-options.ts";

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  const stop = new AbortController();
  let bySignal: number | undefined;
  let hasBegun = false;
  for (const [name, code] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      bySignal ??= code;
      stop.abort();
      if (!hasBegun) process.exit(code); // nothing was said that has to be closed; what a server of MCP started ends when we do
    });
  }
  const prompt = await standardInput();
  const runId = newId("agent");
  const cwd = process.cwd();
  const prepared = await prepare(options, { prompt, runId, cwd, signal: stop.signal });
  hasBegun = true;
  print({
    type: "harness_session",
    version,
    sessionId: runId,
    model: options.model,
    cwd,
    permissions: options.permissions,
    ...prepared.session,
    promptSha256: bundleHash(prepared.session),
  });
  let reason: string | undefined;
  try {
    for await (const event of prepared.events) {
      print(event);
      if (event.type === "relay") prepared.answer(event.id);
      if (event.type === "harness_end" && event.runId === runId) reason = event.reason;
    }
  } finally {
    await prepared.close();
  }
  return bySignal ?? (reason === undefined ? 1 : 0); // how it went, the last event tells
}

/** Whoever reads the recording can tell by it whether what the model was told is still what stands there. */
function bundleHash({ system, tools }: Prepared["session"]): string {
  return createHash("sha256").update(JSON.stringify({ system, tools })).digest("hex");
}

/** Standard output is a file or a pipe: what is printed is out when this returns, also if we are killed right after it. */
function print(line: HarnessEvent | object): void {
  const { error } = writeFully(1, Buffer.from(`${JSON.stringify(line)}\n`));
  if (error !== undefined) throw new HarnessError("output", `Cannot print: ${errorWords(error)}.`);
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`harness: ${errorWords(error)}\n`);
    process.exit(error instanceof HarnessError && error.code === "usage" ? 2 : 1);
  },
);
