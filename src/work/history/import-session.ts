import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { logError } from "../../host/files/index.ts";
import { type DataDirectory, manifestIn, newRunId, openRecording, type RunManifest, runPaths } from "../../host/recording/index.ts";
import { type Store, storeFormatId } from "../../pure/agents/index.ts";
import { arrayOf, codeOf, HarnessError, isObject, numberOf, wordOf } from "../../pure/base/index.ts";
import type { FoundSession } from "./find-sessions.ts";
import type { Imported, ImportOptions } from "./imported.ts";
import { hashUpTo, type MeasuredFile, measureFile } from "./measure-file.ts";
import type { SessionFile } from "./session-file.ts";
import { sessionLines, type Timed } from "./session-lines.ts";

/** What an imported session cannot say, because no one watched it. */
const UNKNOWN = ["exit", "stderr", "files"];

/** Makes a recording of a session, unless there is one already. The id of the run follows from the session, so that is known without an index. */
export async function importSession(
  session: FoundSession,
  data: DataDirectory,
  known: ReadonlyMap<string, string>,
  options: ImportOptions,
): Promise<Pick<Imported, "state" | "run" | "before">> {
  const { store, head } = session;
  const name = nameOf(store.agent.id, head.unique ?? head.session);
  const last = known.get(name);
  const manifest = last === undefined ? undefined : manifestIn(runPaths(join(data.runs, last)).manifest);
  const earlier = manifest !== undefined && isComplete(manifest) ? manifest : undefined;
  if (earlier !== undefined && looksUnchanged(earlier, session.files)) return { state: "unchanged", run: earlier.id };
  const files = session.files.map((file) => measureFile(store, file));
  if (earlier !== undefined && isSame(earlier, files)) return { state: "unchanged", run: earlier.id };
  const isGrown = earlier !== undefined && hasGrown(store, earlier, files);
  const lines = sessionLines(store, files);
  const first = lines.next();
  if (first.done) throw new HarnessError("input", "It has no complete record yet.");
  const startedAt = manifest?.startedAt ?? first.value.at;
  const id = last === undefined ? newRunId(new Date(startedAt), name) : nextId(last);
  const origin = {
    session: head.session,
    unknown: UNKNOWN,
    files: files.map(({ name, bytes, sha256, mtimeMs }) => ({ name, bytes, sha256, mtimeMs })),
    ...(head.forkOf !== undefined && { forkOf: head.forkOf }),
    ...(last !== undefined && { [isGrown ? "extends" : "replaces"]: last }),
  };
  const recording = await openRecording({
    agent: store.agent.id,
    like: storeFormatId(store.agent),
    origin: { id: storeFormatId(store.agent), about: origin },
    prompt: head.prompt ?? "",
    cwd: head.cwd ?? "/",
    ...(head.model !== undefined && { model: head.model }),
    startedAt,
    id,
    tags: ["imported"],
    ...(options.secrets !== undefined && { secrets: options.secrets }),
    ...(options.environment !== undefined && { environment: options.environment }),
    dataDirectory: data.root,
  });
  let at = startedAt;
  for (const batch of batches(first.value, lines)) {
    at = Math.max(at, batch.at);
    recording.stdout(batch.bytes, at);
  }
  await recording.end({ at, exitCode: null });
  if (last === undefined) return { state: "new", run: id };
  return { state: isGrown ? "grown" : "rewritten", run: id, before: last };
}

const MOST_BYTES = 64 * 1024;

/** Lines of the same time, together: each write costs a few system calls. */
function* batches(first: Timed, lines: Iterable<Timed>): Generator<Timed, void> {
  let pieces = [first.bytes];
  let { at } = first;
  let length = first.bytes.length;
  for (const line of lines) {
    if (line.at !== at || length > MOST_BYTES) {
      yield { bytes: Buffer.concat(pieces), at };
      pieces = [];
      length = 0;
    }
    at = line.at;
    pieces.push(line.bytes);
    length += line.bytes.length;
  }
  yield { bytes: Buffer.concat(pieces), at };
}

/** The same for every import of the session, also if its first record changes. */
function nameOf(agent: string, session: string): string {
  return `${agent}-${createHash("sha256").update(session).digest("hex").slice(0, 16)}`;
}

/** `…-2` follows `…`. */
function nextId(id: string): string {
  const [, base = id, generation = "1"] = /^(.*-[0-9a-f]{16})(?:-(\d+))?$/.exec(id) ?? [];
  return `${base}-${Number(generation) + 1}`;
}

/** The recordings of sessions in a data directory, by the name that they share: the newest of each. One listing serves a whole import. */
export function earlierImports(data: DataDirectory): ReadonlyMap<string, string> {
  const newest = new Map<string, string>();
  for (const id of listed(data.runs)) {
    const [, name, generation] = NAMED.exec(id) ?? [];
    if (name !== undefined && generationOf(newest.get(name)) < Number(generation ?? 1)) newest.set(name, id);
  }
  return newest;
}

function listed(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return []; // nothing has been recorded yet
    throw logError(`Cannot read ${directory}`, error);
  }
}

const NAMED = /^\d{8}-\d{6}-([a-z-]+-[0-9a-f]{16})(?:-(\d+))?$/;

function generationOf(id: string | undefined): number {
  return id === undefined ? 0 : Number(NAMED.exec(id)?.[2] ?? 1);
}

function about(manifest: RunManifest): readonly ReadFile[] {
  const files = arrayOf(manifest.origin?.about?.["files"]) ?? [];
  return files.filter(isObject).map((file) => ({
    name: wordOf(file["name"]) ?? "",
    bytes: numberOf(file["bytes"]) ?? -1,
    sha256: wordOf(file["sha256"]) ?? "",
    mtimeMs: numberOf(file["mtimeMs"]) ?? -1,
  }));
}

type ReadFile = Pick<MeasuredFile, "name" | "bytes" | "sha256" | "mtimeMs">;

/** An import that was killed leaves a recording that ends too early. */
function isComplete({ sealed }: RunManifest): boolean {
  return sealed !== undefined && sealed.stopped === undefined && sealed.repairs === undefined;
}

function looksUnchanged(earlier: RunManifest, files: readonly SessionFile[]): boolean {
  const known = new Map(about(earlier).map((file) => [file.name, file]));
  const isKnown = ({ name, bytes, mtimeMs, session }: SessionFile) =>
    session === undefined && known.get(name)?.bytes === bytes && known.get(name)?.mtimeMs === mtimeMs;
  return known.size === files.length && files.every(isKnown);
}

function isSame(earlier: RunManifest, files: readonly MeasuredFile[]): boolean {
  const known = new Map(about(earlier).map((file) => [file.name, file]));
  return known.size === files.length && files.every(({ name, sha256 }) => known.get(name)?.sha256 === sha256);
}

/** Every file that was imported is the beginning of what is there now. */
function hasGrown(store: Store, earlier: RunManifest, files: readonly MeasuredFile[]): boolean {
  const now = new Map(files.map((file) => [file.name, file]));
  return about(earlier).every(({ name, bytes, sha256 }) => {
    const file = now.get(name);
    if (file?.kind === "document" && store.split !== undefined) return true; // it is about a list, and changes with it
    return file !== undefined && file.bytes >= bytes && hashUpTo(store, file, bytes) === sha256;
  });
}
