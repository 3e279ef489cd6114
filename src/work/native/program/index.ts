// The program of our built-in agents: reads its prompt from standard input, prints the events of specification 002 as JSON lines, and
// exits when its agent is done. `harness run` records it like any other agent.
import { createHash } from "node:crypto";
import { maskedLater, writeFully } from "../../../host/sink/index.ts";
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
      if (!hasBegun) process.exit(code); // no event needs an end yet; MCP servers and their children end with us
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
      if (event.type === "relay") prepared.answer(event);
      if (event.type === "harness_end" && event.runId === runId) reason = event.reason;
    }
  } finally {
    await prepared.close();
  }
  return bySignal ?? (reason === undefined ? 1 : 0); // the last event says how it went
}

/** Lets a reader of the recording check whether the model's instructions have changed. */
function bundleHash({ system, tools }: Prepared["session"]): string {
  return createHash("sha256").update(JSON.stringify({ system, tools })).digest("hex");
}

/** Standard output is a file or a pipe: the line is out when this returns, even if we are killed right after. */
function print(line: HarnessEvent | object): void {
  const { error } = writeFully(1, maskedLater(`${JSON.stringify(line)}\n`));
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
    writeFully(2, maskedLater(`harness: ${errorWords(error)}\n`));
    process.exit(error instanceof HarnessError && error.code === "usage" ? 2 : 1);
  },
);
