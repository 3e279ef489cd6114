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

export interface DeriveRunOptions extends ViewOptions {
  /**
   * Waits for more while the run goes on. Asked now and then, it answers whether somebody still writes; where nobody does
   * any more, it has made sure before that the run is complete.
   */
  readonly isLive?: () => Promise<boolean>;
  /** Told once, at the end, where the recording is damaged. */
  readonly onDamage?: (damages: readonly Damage[]) => void;
  /** Before each piece of output is given: for a replay at the recorded pace. */
  readonly pace?: (at: number) => Promise<void> | undefined;
  /** Told between two records, after what comes from those before was given. */
  readonly onPlace?: (place: Place) => void;
  /** Where the agent truncated its output, of a run whose seal does not say it yet. */
  readonly truncated?: readonly Truncation[];
}

/** How often a follower asks whether the run it waits for is still being written. */
const ASK_MS = 500;

/**
 * Records of a view, from a run's own recording: the same as the live run gave. Secrets are never shown: in a run that is not sealed
 * they are masked as they are read, and of one that somebody is writing only what its recorder has seen is read.
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
  const line = pipeline(agent, view, runInfoOf(manifest, paths.prompt), decode, {
    ...options,
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

/** The inner events of a run, for what makes several views of them at once. */
export function eventsOfRun(
  manifest: RunManifest,
  directory: string,
  agent: Agent,
  options: DeriveRunOptions = {},
): AsyncGenerator<readonly Event[]> {
  return deriveRun(manifest, directory, agent, innerEvents, options);
}

/** What the views of specification 004 call the run: the case it was a trial of, else by its id. */
export function evaluatedOf({ evaluated, id }: RunManifest): Evaluated {
  return evaluated ?? { id };
}

export function runInfoOf(manifest: RunManifest, prompt: string): RunInfo {
  return infoOf(manifest, readPrompt(prompt, secretsOf(manifest)));
}

/** The same for the recorder and for whoever reads the recording later. */
export function infoOf({ id, startedAt, cwd, model, session }: RunManifest, prompt: string | undefined): RunInfo {
  return { startedAt, runId: id, cwd, model, prompt, sessionName: session?.name, before: session?.used };
}

/** What is still to be masked in the files of a run: nothing, once it is sealed. */
function secretsOf({ sealed, secrets }: RunManifest): FindSecrets {
  return sealed === undefined && secrets.fingerprints !== undefined ? findFingerprints(secrets.fingerprints) : nothingToFind;
}

function readPrompt(path: string, find: FindSecrets): string | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined; // a run that lost it is still a run
  try {
    return maskText(readFileSync(fd, "utf8"), find);
  } finally {
    closeSync(fd);
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
