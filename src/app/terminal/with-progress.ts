import { stat } from "node:fs/promises";
import { bytes } from "../../pure/base/index.ts";
import { mapView, type View } from "../../pure/pipeline/index.ts";
import { inTerminal, toFile, writeAside } from "./output.ts";
import { sequence } from "./sequences.ts";

const QUIET_MS = 500;
const EVERY_MS = 100;
const CLEAR = `${sequence("\r")}${sequence("[K")}`;

/**
 * The same view; after half a second, stderr shows how much has been read. Only if that disturbs nothing: stderr is a terminal, and
 * stdout is a file, or the terminal before its only record. A pipe may lead to a pager that owns the screen.
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
  readonly clear: () => void;
}

function progressLine(size: number | undefined): ProgressLine {
  let read = 0;
  let shown = false;
  const since = Date.now();
  const ticking = setInterval(() => {
    if (Date.now() - since < QUIET_MS) return;
    shown = true;
    const share = size ? ` (${Math.min(100, Math.floor((100 * read) / size))} %)` : "";
    writeAside(`${CLEAR}harness: ${bytes(read)} read${share}`);
  }, EVERY_MS);
  return {
    reached(now) {
      read = now;
    },
    clear() {
      clearInterval(ticking);
      if (shown) writeAside(CLEAR);
      shown = false;
    },
  };
}

/** Events know their place in the agent's output. */
function watched(view: View, line: ProgressLine): View {
  return mapView(view, (records, event) => {
    const last = event.from[event.from.length - 1];
    if (last?.stream === "stdout") line.reached(last.offset + last.length);
    if (records.length > 0 && inTerminal()) line.clear(); // they are printed in the same place
    return records;
  });
}
