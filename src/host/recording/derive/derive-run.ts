import { closeSync, readFileSync } from "node:fs";
import type { Event } from "../../../pure/events/index.ts";
import {
  type Agent,
  type Evaluated,
  innerEvents,
  pipeline,
  type RunInfo,
  type View,
  type ViewOptions,
} from "../../../pure/pipeline/index.ts";
import { lockOwner, openToRead, watchFiles } from "../../files/index.ts";
import { type FindSecrets, maskText, nothingToFind } from "../../secrets/index.ts";
import {
  type Damage,
  findFingerprints,
  type Piece,
  type Place,
  type RunManifest,
  runPaths,
  runReader,
  type Truncation,
} from "../format/index.ts";
import { decode } from "./decode.ts";
import { keptRun } from "./kept-run.ts";
import { withinMemory } from "./within-memory.ts";

export interface DeriveRunOptions extends ViewOptions {
  /**
   * Keeps waiting for more while the run continues. Called at intervals; returns whether a process still writes the run. Before it returns
   * false, it must make sure that the run is complete.
   */
  readonly isLive?: () => Promise<boolean>;
  /** Called once, at the end, if the recording is damaged. */
  readonly onDamage?: (damages: readonly Damage[]) => void;
  /** Called before each piece of output, for a replay at the recorded pace. */
  readonly pace?: (at: number) => Promise<void> | undefined;
  /** Called between two records, after everything before was passed on. */
  readonly onPlace?: (place: Place) => void;
  /** The truncations of the agent's output, for a run without a seal that lists them. */
  readonly truncated?: readonly Truncation[];
}

/** How often a follower checks whether the run is still being written. */
const ASK_MS = 500;

/**
 * The records of a view from a run's recording: the same as in the live run. Secrets never appear: in an unsealed run they are masked while
 * reading, and a run that is still being written is read only as far as its recorder has come.
 */
export async function* deriveRun<Out extends object>(
  manifest: RunManifest,
  directory: string,
  agent: Agent,
  view: View<Out>,
  options: DeriveRunOptions = {},
): AsyncGenerator<readonly Out[]> {
  const paths = runPaths(directory);
  const { sealed: seal, startedAt } = manifest;
  const find = secretsOf(manifest);
  const reader = runReader(paths, decode, { seal, find, truncated: seal?.truncated ?? options.truncated });
  const kept = view.needsSeal ? await keptRun(manifest, directory) : undefined;
  const line = pipeline(agent, withinMemory(view), runInfoOf(manifest, paths.prompt), decode, {
    ...options,
    ...(kept !== undefined && { kept }),
    evaluated: options.evaluated ?? evaluatedOf(manifest),
  });

  function take(piece: Piece): readonly Out[] {
    if (piece.type === "bytes") return line.bytes(piece.stream, piece.bytes, piece.at);
    return piece.type === "fact" ? line.fact(piece) : line.exit(piece);
  }

  async function* taken(pieces: Iterable<Piece | Place>): AsyncGenerator<readonly Out[]> {
    for (const piece of pieces) {
      if (piece.type === "place") {
        options.onPlace?.(piece);
        continue;
      }
      await options.pace?.(piece.at);
      const records = take(piece);
      if (records.length > 0) yield records;
    }
  }

  try {
    const { isLive } = options;
    const isWritten = seal === undefined && isLive === undefined && (await lockOwner(directory)) !== undefined;
    yield* taken(reader.more());
    if (isLive !== undefined) {
      for await (const _ of changes(paths.records, isLive, () => reader.ended)) yield* taken(reader.more());
    }
    if (!isWritten) yield* taken(reader.unrecorded(startedAt));
    yield line.end(reader.lastAt ?? startedAt);
  } finally {
    options.onDamage?.(reader.damages);
    reader.close();
  }
}

/** The inner events of a run, for callers that derive several views in one pass. */
export function eventsOfRun(
  manifest: RunManifest,
  directory: string,
  agent: Agent,
  options: DeriveRunOptions = {},
): AsyncGenerator<readonly Event[]> {
  return deriveRun(manifest, directory, agent, innerEvents, options);
}

/** The run as the views of specification 004 name it: the case it was a trial of, otherwise its id. */
export function evaluatedOf({ evaluated, id }: RunManifest): Evaluated {
  return evaluated ?? { id };
}

export function runInfoOf(manifest: RunManifest, prompt: string): RunInfo {
  return infoOf(manifest, readPrompt(prompt, secretsOf(manifest)));
}

/** The same for the recorder and for every later reader. */
export function infoOf({ id, startedAt, cwd, model, session }: RunManifest, prompt: string | undefined): RunInfo {
  return { startedAt, runId: id, cwd, model, prompt, sessionName: session?.name, before: session?.used };
}

/** What still has to be masked in the files of a run: nothing once it is sealed. */
function secretsOf({ sealed, secrets }: RunManifest): FindSecrets {
  return sealed === undefined && secrets.fingerprints !== undefined ? findFingerprints(secrets.fingerprints) : nothingToFind;
}

function readPrompt(path: string, find: FindSecrets): string | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined; // a run without its prompt is still a run
  try {
    return maskText(readFileSync(fd, "utf8"), find);
  } finally {
    closeSync(fd);
  }
}

/** Yields whenever there may be news. Ends after the run has ended and one more turn. */
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
