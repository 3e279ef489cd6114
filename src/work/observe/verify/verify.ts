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
  /** Who reads the recording, in place of the agent that is recorded: an id, an alias, the file of an agent of your own, or the agent itself. */
  readonly agent?: string | Agent | undefined;
  /** A file of those whose signature of the observation's seal counts; see ALLOWED SIGNERS in ssh-keygen(1). */
  readonly allowedSigners?: string | undefined;
}

/** The options, with what they name looked up. */
interface Given extends RecordedOptions {
  readonly data: DataDirectory;
  readonly agent: Agent | undefined;
  readonly allowedSigners: string | undefined;
}

export interface Verification {
  readonly target: "run" | "observation" | "events" | "bundle";
  /** The run's. */
  readonly id: string | null;
  readonly ok: boolean;
  readonly records: number | null;
  /** The head of the hash chain. */
  readonly head: string | null;
  /** Who signed it, where that was asked for. */
  readonly signer?: string;
  /** What could not be looked at here, in a few words each. */
  readonly unchecked: readonly string[];
  readonly flaws: readonly Flaw[];
}

/** A recording that lies where it was put: not always where runs are kept. */
interface Recording {
  /** Undefined where its description is missing, or damaged. */
  readonly manifest: RunManifest | undefined;
  readonly directory: string;
  readonly session: string;
}

/** Undefined also for what can be no path at all: it may be the name of a run, and whoever looks for that says what is wrong with it. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Where a link leads that the user has named: the user may; what lies in an observation may not. */
function ledTo(name: string): string {
  try {
    return statsOf(name)?.isSymbolicLink() ? realpathSync(name) : name;
  } catch (error) {
    throw new HarnessError("input", `${name} is a link that leads nowhere.`, { cause: error });
  }
}

/**
 * Checks that a run (its id, the unique beginning of one, `last`, or its directory), the directory of an observation, a file of decision events
 * or a bundle is what was sealed, and what its bytes give. What is wrong is told by the result; rejects where there is nothing to verify.
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
    if (stats !== undefined) throw new HarnessError("input", `${name} is neither a file nor a directory: there is nothing to verify.`);
  }
  return verifyNamedRun(findRun(options.data, name), options);
}

async function verifyNamedRun(directory: string, options: Given): Promise<Verification> {
  const recording = await finished(directory, options);
  return verification("run", recording, recording.manifest && outsideOf(recording.manifest), options);
}

/** The directory of an observation; its recording is looked for where runs are kept. */
async function verifyOut(out: string, options: Given): Promise<Verification> {
  if (lstatSync(decisionPath(out), { throwIfNoEntry: false }) === undefined)
    throw new HarnessError("input", `${out} is neither a run nor the directory of an observation: it has no events.jsonl.`);
  const id = runIdOf(out);
  const directory = id === undefined ? undefined : lookUp(options.data, id);
  const recording = directory === undefined ? undefined : await finished(directory, options);
  return verification("observation", recording, out, options);
}

/** In its directory it is part of an observation; elsewhere only what it says itself can be looked at. */
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
      return { target: "bundle", id: null, ok: false, records: null, head: null, unchecked: ["what it holds"], flaws };
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
    throw new HarnessError("locked", `The run ${manifest.id} is being written by process ${owner.pid}; verify it when it has ended.`);
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
      ...(recorded === undefined ? ["recording: it is not on this machine, so neither the chain nor the re-derivation"] : []),
      ...(isObserved && out === undefined ? ["observation: its directory is not where it was"] : []),
      ...(observed?.isSigned && observed.signer === undefined && options.allowedSigners === undefined
        ? ["signature: give `allowedSigners`"]
        : []),
    ],
    flaws,
  };
}

async function recordedFlaws(
  { manifest, directory, session }: Recording,
  out: string | undefined,
  { agent }: Given,
): Promise<readonly Flaw[]> {
  if (manifest === undefined) return [{ file: "run.json", problem: "it is missing, or damaged: it is not the description of a run" }];
  const reader = agent ?? (await readerOf(manifest));
  if (reader === undefined) return [{ file: "run.json", problem: "it is not what was sealed, and names an agent that is not known here" }];
  return verifyRun(manifest, runPaths(directory), session, reader, out);
}

/** Undefined where none can be had because somebody has changed its name: that is no mistake of whoever asks. */
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

/** What another version recorded may be written otherwise. */
function isSealOf(manifest: RunManifest, { digest, head }: OutSeal, text: string | undefined): boolean {
  if (manifest.recorder.version === version && text !== outsideSealText(manifest)) return false;
  return digest === manifest.digest && head === manifest.sealed?.head;
}

/** The same place can be found wrong twice: by what it says, and by its seal. The first to say so is the one that says more. */
function unique(flaws: readonly Flaw[]): readonly Flaw[] {
  const nameOf = ({ file }: Flaw) => file.replace(/^out\//, "");
  return flaws.filter((flaw, index) => flaws.findIndex((each) => nameOf(each) === nameOf(flaw) && each.problem === flaw.problem) === index);
}
