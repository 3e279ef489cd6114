import { existsSync, lstatSync, mkdtempSync, realpathSync, type Stats, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { reasonOf } from "../../../host/files/index.ts";
import {
  agentNamed,
  agentOfRun,
  type DataDirectory,
  dataOf,
  dataOfRun,
  digestOf,
  type Flaw,
  findRun,
  lookUp,
  manifestIn,
  outsideOf,
  outsideSealText,
  type RunManifest,
  readsAlike,
  runPaths,
  sessionPaths,
  verifyRun,
} from "../../../host/recording/index.ts";
import { removeTree } from "../../../host/workspace/index.ts";
import { codeOf, HarnessError, version } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { openedRun, type RecordedOptions } from "../opened-run.ts";
import { decisionPath } from "../out-directory.ts";
import { signatureOf, signerOf } from "../ssh-signature.ts";
import { isBundle, unpackBundle } from "../write-bundle.ts";
import { contractFlaw, evidenceFlaw, type OutSeal, runIdOf, sealFlaws } from "./out-flaws.ts";

export interface VerifyOptions extends RecordedOptions {
  /** Reads the recording in place of the recorded agent: an id, an alias, a file with your own agent, or the agent itself. */
  readonly agent?: string | Agent | undefined;
  /** A file with the signers who may sign the observation's seal; see ALLOWED SIGNERS in ssh-keygen(1). */
  readonly allowedSigners?: string | undefined;
}

interface Given extends RecordedOptions {
  readonly data: DataDirectory;
  readonly agent: Agent | undefined;
  readonly allowedSigners: string | undefined;
}

export interface Verification {
  readonly target: "run" | "observation" | "events" | "bundle";
  /** The run's id. */
  readonly id: string | null;
  readonly ok: boolean;
  readonly records: number | null;
  /** The head of the hash chain. */
  readonly head: string | null;
  /** Who signed it, if you asked for that. */
  readonly signer?: string;
  /** What could not be checked here, in a few words each. */
  readonly unchecked: readonly string[];
  readonly flaws: readonly Flaw[];
}

/** A recording at a given place, which need not be the data directory. */
interface Recording {
  /** Undefined if its description is missing or damaged. */
  readonly manifest: RunManifest | undefined;
  readonly directory: string;
  readonly session: string;
}

/** Undefined also for a text that cannot be a path: it may be the name of a run, and the search for that run reports what is wrong. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Follows a link that the user named. Links inside an observation are never followed. */
function ledTo(name: string): string {
  try {
    return statsOf(name)?.isSymbolicLink() ? realpathSync(name) : name;
  } catch (error) {
    throw new HarnessError("input", `${name} is a broken link.`, { cause: error });
  }
}

/**
 * Checks that a run (its id, a unique prefix, `last`, or its directory), the directory of an observation, a file of decision events or a
 * bundle is what was sealed, and that its bytes still give the same records. The result lists the flaws; rejects if there is nothing to verify.
 */
export async function verify(target: string, { agent, allowedSigners, ...options }: VerifyOptions = {}): Promise<Verification> {
  const reader = typeof agent === "string" ? await agentNamed(agent) : agent;
  try {
    return await verified(target, { ...options, data: dataOf(options), agent: reader, allowedSigners });
  } catch (error) {
    if (error instanceof HarnessError || codeOf(error) === "") throw error;
    throw new HarnessError("input", `Cannot read all of ${target}: ${reasonOf(error)}.`, { cause: error });
  }
}

async function verified(name: string, options: Given): Promise<Verification> {
  if (lookUp(options.data, name) === undefined && name !== "") {
    const path = ledTo(name);
    const stats = statsOf(path);
    if (stats?.isDirectory()) return verifyOut(resolve(path), options);
    if (stats?.isFile() && isBundle(path)) return verifyBundle(path, options);
    if (stats?.isFile()) return verifyEvents(resolve(path), options);
    if (stats !== undefined) throw new HarnessError("input", `${name} is neither a file nor a directory, so there is nothing to verify.`);
  }
  return verifyNamedRun(findRun(options.data, name), options);
}

async function verifyNamedRun(directory: string, options: Given): Promise<Verification> {
  const recording = await finished(directory, options);
  return verification("run", recording, recording.manifest && outsideOf(recording.manifest), options);
}

/** The directory of an observation; its recording is searched in the data directory. */
async function verifyOut(out: string, options: Given): Promise<Verification> {
  if (lstatSync(decisionPath(out), { throwIfNoEntry: false }) === undefined)
    throw new HarnessError("input", `${out} is neither a run nor the directory of an observation: it has no events.jsonl.`);
  const id = runIdOf(out);
  const directory = id === undefined ? undefined : lookUp(options.data, id);
  const recording = directory === undefined ? undefined : await finished(directory, options);
  return verification("observation", recording, out, options);
}

/** Inside its directory it is part of an observation; elsewhere only its own content can be checked. */
async function verifyEvents(path: string, options: Given): Promise<Verification> {
  const isWhole =
    basename(path) === "events.jsonl" && statSync(join(dirname(path), "metadata.json"), { throwIfNoEntry: false }) !== undefined;
  if (isWhole) return { ...(await verifyOut(dirname(path), options)), target: "events" };
  const { flaw, events } = contractFlaw(path, basename(path));
  const session = events[0]?.["session"];
  const id = typeof session === "object" && session !== null && "run_id" in session ? String(session.run_id) : null;
  const unchecked = ["evidence", "seal", "recording"];
  const flaws = flaw === undefined ? [] : [flaw];
  return { target: "events", id, ok: flaws.length === 0, records: null, head: null, unchecked, flaws };
}

async function verifyBundle(path: string, options: Given): Promise<Verification> {
  const folder = mkdtempSync(join(tmpdir(), "harness-bundle-"));
  try {
    const { run, session, out, flaw } = unpackBundle(path, folder);
    if (flaw !== undefined) {
      const flaws = [{ file: basename(path), ...flaw }];
      return { target: "bundle", id: null, ok: false, records: null, head: null, unchecked: ["its contents"], flaws };
    }
    const { manifest: description } = runPaths(run);
    const manifest = existsSync(description) ? manifestIn(description) : undefined;
    return await verification("bundle", { manifest, directory: run, session }, out, options);
  } finally {
    await removeTree(folder);
  }
}

async function finished(directory: string, options: Given): Promise<Recording> {
  if (manifestIn(runPaths(directory).manifest) === undefined) return { manifest: undefined, directory, session: "" };
  const { manifest, owner } = await openedRun(directory, options, options.agent);
  if (owner !== undefined)
    throw new HarnessError("locked", `Process ${owner.pid} is still writing the run ${manifest.id}. Verify it when it has ended.`);
  const { sessions, id } = dataOfRun(directory);
  return { manifest, directory, session: sessionPaths(sessions, id).stream };
}

async function verification(
  target: Verification["target"],
  recording: Recording | undefined,
  out: string | undefined,
  options: Given,
): Promise<Verification> {
  const recorded = recording === undefined ? undefined : await recordedFlaws(recording, out, options);
  const observed = out === undefined ? undefined : await observedFlaws(out, recording?.manifest, options);
  const isObserved = recording?.manifest?.observed !== undefined || out !== undefined;
  const flaws = unique([...(observed?.flaws ?? []), ...(recorded ?? [])]);
  const { id = observed?.id ?? null, sealed } = recording?.manifest ?? {};
  return {
    target,
    id,
    ok: flaws.length === 0,
    records: sealed?.records ?? observed?.records ?? null,
    head: sealed?.head ?? observed?.head ?? null,
    ...(observed?.signer !== undefined && { signer: observed.signer }),
    unchecked: [
      ...(recorded === undefined ? ["recording: it is not on this machine, so neither the chain nor the re-derivation was checked"] : []),
      ...(recording?.manifest === undefined || readsAlike(recording.manifest) ? [] : [earlierRecorder(recording.manifest)]),
      ...(isObserved && out === undefined ? ["observation: its directory has moved or is gone"] : []),
      ...(observed?.isSigned && observed.signer === undefined && options.allowedSigners === undefined
        ? ["signature: pass `allowedSigners`"]
        : []),
    ],
    flaws,
  };
}

function earlierRecorder({ recorder }: RunManifest): string {
  const which = recorder.version === version ? `translation ${recorder.translation ?? 1}` : `version ${recorder.version}`;
  return `views: they were made by harness ${which}, which this one reads differently; they are what was sealed`;
}

async function recordedFlaws(
  { manifest, directory, session }: Recording,
  out: string | undefined,
  { agent }: Given,
): Promise<readonly Flaw[]> {
  if (manifest === undefined) return [{ file: "run.json", problem: "it is missing or damaged, so it does not describe a run" }];
  const reader = agent ?? (await readerOf(manifest));
  if (reader === undefined) return [{ file: "run.json", problem: "it is not what was sealed, and names an unknown agent" }];
  return verifyRun(manifest, runPaths(directory), session, reader, out);
}

/** Undefined if the agent's name was changed in the recording: that is a flaw, not a mistake of the caller. */
async function readerOf(manifest: RunManifest): Promise<Agent | undefined> {
  try {
    return await agentOfRun(manifest);
  } catch (error) {
    if (manifest.sealed === undefined || manifest.digest === digestOf(manifest)) throw error;
    return undefined;
  }
}

interface ObservedFlaws {
  readonly flaws: readonly Flaw[];
  readonly id?: string;
  readonly records?: number;
  readonly head?: string;
  readonly signer?: string;
  readonly isSigned: boolean;
}

async function observedFlaws(out: string, manifest: RunManifest | undefined, { allowedSigners }: Given): Promise<ObservedFlaws> {
  const { flaw, events } = contractFlaw(decisionPath(out));
  const evidence = flaw === undefined ? evidenceFlaw(out, events) : undefined;
  const { seal, text, flaws } = sealFlaws(out, events);
  const path = join(out, "seal.json");
  const signed = allowedSigners === undefined ? undefined : await signerOf(path, allowedSigners);
  const { signer, problem } = { signer: undefined, problem: undefined, ...signed };
  const isSame = manifest === undefined || seal === undefined || isSealOf(manifest, seal, text);
  return {
    flaws: [
      ...(flaw === undefined ? [] : [flaw]),
      ...(evidence === undefined ? [] : [evidence]),
      ...flaws,
      ...(isSame ? [] : [{ file: "seal.json", problem: "it is not the seal of the recording" }]),
      ...(problem === undefined ? [] : [{ file: "seal.json", problem }]),
    ],
    ...(seal !== undefined && { id: seal.run_id, records: seal.records, head: seal.head }),
    ...(signer !== undefined && { signer }),
    isSigned: lstatSync(signatureOf(path), { throwIfNoEntry: false }) !== undefined,
  };
}

/** A different version may have written its recording differently. */
function isSealOf(manifest: RunManifest, { digest, head }: OutSeal, text: string | undefined): boolean {
  if (manifest.recorder.version === version && text !== outsideSealText(manifest)) return false;
  return digest === manifest.digest && head === manifest.sealed?.head;
}

/** Two checks can find the same flaw: by the content, and by the seal. The first one says more. */
function unique(flaws: readonly Flaw[]): readonly Flaw[] {
  const nameOf = ({ file }: Flaw) => file.replace(/^out\//, "");
  return flaws.filter((flaw, index) => flaws.findIndex((each) => nameOf(each) === nameOf(flaw) && each.problem === flaw.problem) === index);
}
