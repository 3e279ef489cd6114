import { stat } from "node:fs/promises";
import { bytes } from "../../pure/base/index.ts";
import { mapView, type View } from "../../pure/pipeline/index.ts";
import { inTerminal, toFile } from "./output.ts";

const PATIENCE_MS = 500;
const EVERY_MS = 100;

/**
 * The same view, watched: after half a second stderr says how far the reading has come. Only where that disturbs nothing:
 * stderr is a terminal, and stdout is a file, or the terminal itself while its only record is awaited. Behind a pipe there
 * may be a pager, which owns the screen.
 */
export async function withProgress(view: View, file: string): Promise<{ view: View; done: () => void }> {
  const undisturbed = toFile() || (inTerminal() && view.id === "result");
  if (process.stderr.isTTY !== true || !undisturbed) return { view, done: () => {} };
  const size = file === "-" ? undefined : (await stat(file).catch(() => undefined))?.size;
  const line = progressLine(size);
  return { view: watched(view, line), done: line.clear };
}

interface ProgressLine {
  readonly reached: (bytes: number) => void;
  /** For good. */
  readonly clear: () => void;
}

function progressLine(size: number | undefined): ProgressLine {
  let read = 0;
  let shown = false;
  const since = Date.now();
  const ticking = setInterval(() => {
    if (Date.now() - since < PATIENCE_MS) return;
    shown = true;
    const share = size ? ` (${Math.min(100, Math.floor((100 * read) / size))} %)` : "";
    process.stderr.write(`\r\x1b[Kharness: ${bytes(read)} read${share}`);
  }, EVERY_MS);
  return {
    reached(now) {
      read = now;
    },
    clear() {
      clearInterval(ticking);
      if (shown) process.stderr.write("\r\x1b[K");
      shown = false;
    },
  };
}

/** Events tell where in the agent's output they come from. */
function watched(view: View, line: ProgressLine): View {
  return mapView(view, (records, event) => {
    const last = event.from[event.from.length - 1];
    if (last?.stream === "stdout") line.reached(last.offset + last.length);
    if (records.length > 0 && inTerminal()) line.clear(); // they are about to be printed in the same place
    return records;
  });
}
