import { readFileSync } from "node:fs";
import type { Agent } from "../core/agent.ts";
import type { RunInfo } from "../core/event-log.ts";
import { pipeline } from "../core/pipeline.ts";
import type { View, ViewOptions } from "../core/view.ts";
import type { RunManifest } from "../store/run-manifest.ts";
import { runPaths } from "../store/run-paths.ts";
import { type Damage, type Piece, runReader } from "../store/run-reader.ts";
import { watchFiles } from "../store/watch-files.ts";
import { decode } from "./decode.ts";

export interface DeriveRunOptions extends ViewOptions {
  /**
   * Waits for more while the run goes on. Asked now and then, it answers whether somebody still writes; where nobody does
   * any more, it has made sure before that the run is complete.
   */
  readonly isLive?: () => Promise<boolean>;
  /** Told once, at the end, where records were damaged. */
  readonly onDamage?: (damages: readonly Damage[]) => void;
  /** Before each piece of output is given: for a replay at the recorded pace. */
  readonly pace?: (at: number) => Promise<void> | undefined;
}

/** How often a follower asks whether the run it waits for is still being written. */
const ASK_MS = 500;

/** Records of a view, from a run's own recording: the same as the live run gave. */
export async function* deriveRun<Out extends object>(
  manifest: RunManifest,
  directory: string,
  agent: Agent,
  view: View<Out>,
  options: DeriveRunOptions = {},
): AsyncGenerator<readonly Out[]> {
  const paths = runPaths(directory);
  const reader = runReader(paths, decode, manifest.sealed?.truncated);
  const line = pipeline(agent, view, runInfoOf(manifest, paths.prompt), decode, options);

  function take(piece: Piece): readonly Out[] {
    if (piece.type === "bytes") return line.bytes(piece.stream, piece.bytes, piece.at);
    return piece.type === "notice" ? line.notice(piece) : line.exit(piece);
  }

  async function* taken(pieces: Iterable<Piece>): AsyncGenerator<readonly Out[]> {
    for (const piece of pieces) {
      await options.pace?.(piece.at);
      const records = take(piece);
      if (records.length > 0) yield records;
    }
  }

  try {
    yield* taken(reader.more());
    const { isLive } = options;
    if (isLive !== undefined) {
      for await (const _ of changes(paths.records, isLive, () => reader.ended)) yield* taken(reader.more());
    }
    yield* taken(reader.unrecorded(manifest.startedAt));
    yield line.end(reader.lastAt ?? manifest.startedAt);
  } finally {
    options.onDamage?.(reader.damages);
    reader.close();
  }
}

export function runInfoOf({ startedAt, cwd, model }: RunManifest, prompt: string): RunInfo {
  return { startedAt, cwd, model, prompt: readPrompt(prompt) };
}

function readPrompt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // a run that lost it is still a run
  }
}

/** A turn for each time that there may be news; ends when the run has, after one last turn. */
async function* changes(path: string, isLive: () => Promise<boolean>, isOver: () => boolean): AsyncGenerator<void> {
  let wake: () => void = () => {};
  let news = false;
  const watcher = watchFiles([path], () => {
    news = true;
    wake();
  });
  try {
    let asked = performance.now();
    while (!isOver()) {
      if (!news) await new Promise<void>((resolve) => (wake = resolve));
      news = false;
      const due = performance.now() - asked > ASK_MS;
      if (due) asked = performance.now();
      const gone = due && !(await isLive());
      yield;
      if (gone) return;
    }
  } finally {
    watcher.close();
  }
}
