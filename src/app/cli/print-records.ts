import type { LogRecord } from "../../pure/events/index.ts";
import type { View } from "../../pure/pipeline/index.ts";
import { rendererFor } from "../../pure/views/index.ts";
import { inTerminal, say, terminal, write } from "../terminal/index.ts";
import { jsonParts } from "./json-parts.ts";

/** Longer text is written piece by piece: a batch of long records must not become one string. */
const LARGE = 1024 * 1024;

export interface PrintOptions {
  readonly view: Pick<View, "id" | "text" | "holdsRun">;
  readonly readable: boolean;
  readonly json?: boolean | undefined;
}

/** Readable text for people, or one JSON object per line. Each batch is one write, unless it is huge. */
export async function printRecords(batches: AsyncIterable<readonly object[]>, options: PrintOptions): Promise<void> {
  const { readable } = options;
  const text = textOf(options);
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    let piece = "";
    for (const record of batch)
      for (const part of text(record)) {
        piece += part;
        if (piece.length < LARGE) continue;
        await write(piece);
        piece = "";
      }
    if (piece !== "") await write(piece);
  }
  if (readable && count === 0) say(`nothing to show: the view ${options.view.id} has no record for this input`);
}

export async function printAccount(batches: AsyncIterable<readonly object[]>): Promise<void> {
  const { liveAccount } = await import("../tui/index.ts");
  const account = liveAccount({
    out: { write },
    animate: inTerminal() && process.env["TERM"] !== "dumb",
    columns: () => process.stdout.columns ?? 80,
    now: () => performance.now(),
  });
  try {
    for await (const batch of batches) await account.push(batch as readonly LogRecord[]);
  } finally {
    await account.end();
  }
}

function textOf({ view, readable, json }: PrintOptions): (record: object) => Iterable<string> {
  const { text } = view;
  const whole = text !== undefined && json !== true ? text : readable ? rendererFor(view.id, terminal) : undefined;
  if (whole !== undefined) return (record) => [whole(record)];
  return view.holdsRun === true ? jsonParts : (record) => [`${JSON.stringify(record)}\n`];
}
