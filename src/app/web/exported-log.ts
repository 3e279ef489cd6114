import { agentOfRun, deriveRun, type RunManifest } from "../../host/recording/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { Stream } from "../../pure/events/index.ts";
import { log } from "../../pure/views/index.ts";

/** The events of an export: all, or those from `first` to `last`. */
export interface ExportedEvents {
  readonly first: number;
  readonly last: number;
}

/** The range of raw bytes that the exported events came from, by stream. */
export type Extents = Map<Stream, { readonly from: number; readonly to: number }>;

/** These events as lines of the `log` view. Throws if they exceed `largest` bytes, and says how many fit. */
export async function* exportedLog(
  manifest: RunManifest,
  directory: string,
  { first, last }: ExportedEvents,
  largest: number,
  extents: Extents,
): AsyncGenerator<string> {
  let bytes = 0;
  for await (const records of deriveRun(manifest, directory, await agentOfRun(manifest), log)) {
    let text = "";
    for (const record of records) {
      if (record.seq < first) continue;
      if (record.seq > last) {
        if (text !== "") yield text;
        return;
      }
      const line = `${JSON.stringify(record)}\n`;
      bytes += Buffer.byteLength(line);
      if (bytes > largest) throw tooLarge(manifest, first, record.seq - 1, largest);
      text += line;
      for (const { stream, offset, length } of record.from) widen(extents, stream, offset, offset + length);
    }
    if (text !== "") yield text;
  }
}

function widen(extents: Extents, stream: Stream, from: number, to: number): void {
  const known = extents.get(stream);
  extents.set(stream, known === undefined ? { from, to } : { from: Math.min(known.from, from), to: Math.max(known.to, to) });
}

function tooLarge({ id }: RunManifest, first: number, fits: number, largest: number): HarnessError {
  const what = `The events of ${id} are too large for one file (over ${Math.floor(largest / 1024 / 1024)} MiB).`;
  const fitting = fits >= first ? ` Export those that fit with --events ${first}-${fits}, or` : " Instead,";
  return new HarnessError("input", `${what}${fitting} open the whole run with harness view ${id}.`);
}
