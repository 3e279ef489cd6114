import { rendered } from "../../../src/app/terminal/sequences.ts";
import { liveAccount } from "../../../src/app/tui/account/live-account.ts";
import { hideSecrets } from "../../../src/host/secrets/index.ts";
import type { EventBody } from "../../../src/pure/events/event.ts";
import type { LogRecord } from "../../../src/pure/events/index.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { EPOCH, type Fixture, loadFixtures, replay } from "../../support/fixtures.ts";

/** The colors of the account, and their ends. */
export const SGR = /\x1b\[(?:1|2|22|31|32|33|36|39)m/g;

/** One event per body, a tenth of a second apart. */
export function events(...bodies: readonly EventBody[]): LogRecord[] {
  return bodies.map((body, i) => ({ seq: i + 1, at: EPOCH + 100 * i, provenance: "declared", ...body, from: body.from ?? [] }));
}

/** Cached, because one test reads hundreds of them. */
let fixtures: ReadonlyMap<string, Fixture> | undefined;

export function fixture(name: string, prompt?: string): LogRecord[] {
  fixtures ??= new Map(loadFixtures().map((each) => [each.name, each]));
  const found = fixtures.get(name);
  if (found === undefined) throw new Error(`no fixture ${name}`);
  return replay(found, log, prompt === undefined ? {} : { run: { prompt } });
}

/** The account in a pipe, without colors. */
export async function rows(records: readonly LogRecord[], columns = 100): Promise<string> {
  let text = "";
  const account = liveAccount({
    out: {
      write: async (piece) => {
        text += piece;
      },
    },
    animate: false,
    columns: () => columns,
    now: () => 0,
  });
  await account.push(records);
  await account.end();
  return rendered(hideSecrets(text), false).replace(SGR, "");
}

export const start = { type: "run-start", agent: "claude", cwd: "/w" } as const;
export const command = (callId: string, line: string): EventBody => ({
  type: "tool-start",
  callId,
  tool: "Bash",
  input: { command: line },
  operations: [{ kind: "command", command: line }],
});
export const ended = (callId: string, rest: Partial<EventBody> = {}): EventBody =>
  ({ type: "tool-end", callId, success: true, ...rest }) as EventBody;
export const says = (text: string, rest: Partial<EventBody> = {}): EventBody =>
  ({ type: "message", role: "assistant", text, ...rest }) as EventBody;
export const runEnd = (rest: Partial<EventBody> = {}): EventBody =>
  ({ type: "run-end", status: "completed", reason: "completed", exitCode: 0, signal: null, durationMs: 1000, ...rest }) as EventBody;
