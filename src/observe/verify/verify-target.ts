import { lstatSync, mkdtempSync, type Stats, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Agent } from "../../core/agent.ts";
import { HarnessError } from "../../core/errors.ts";
import { agentOfRun } from "../../own/agent-of-run.ts";
import { observedOut } from "../../recorder/observed-out.ts";
import type { OpenedRun } from "../../recorder/open-run.ts";
import { type Flaw, verifyRun } from "../../recorder/verify-run.ts";
import type { DataDirectory } from "../../store/data-directory.ts";
import { dataOfRun, findRun, lookUp } from "../../store/find-run.ts";
import { type RunManifest, readManifest } from "../../store/run-manifest.ts";
import { decisionPath, runPaths, sessionPaths } from "../../store/run-paths.ts";
import { removeTree } from "../../workspace/remove-tree.ts";
import { isBundle, unpackBundle } from "../bundle.ts";
import { signatureOf, signerOf } from "../ssh-signature.ts";
import { contractFlaw, evidenceFlaw, runIdOf, sealFlaws } from "./out-flaws.ts";

export interface VerifyOptions {
  readonly data: DataDirectory;
  /** Who reads the recording, in place of the agent that is recorded. */
  readonly agent?: Agent;
  /** Opens a run, and completes it where its recorder died. */
  readonly open: (directory: string, agent?: Agent) => Promise<OpenedRun>;
  /** Whose signature of the observation's seal counts. */
  readonly allowedSigners?: string;
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
  readonly manifest: RunManifest;
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

/** Checks a run, the directory of an observation, a file of decision events, or a bundle. */
export async function verifyTarget(name: string, options: VerifyOptions): Promise<Verification> {
  if (lookUp(options.data, name) === undefined && name !== "") {
    const stats = statsOf(name);
    if (stats?.isDirectory()) return verifyOut(resolve(name), options);
    if (stats?.isFile() && isBundle(name)) return verifyBundle(name, options);
    if (stats?.isFile()) return verifyEvents(resolve(name), options);
  }
  return verifyNamedRun(findRun(options.data, name), options);
}

async function verifyNamedRun(directory: string, options: VerifyOptions): Promise<Verification> {
  const recording = await finished(directory, options);
  return verification("run", recording, observedOut(recording.manifest), options);
}

/** The directory of an observation; its recording is looked for where runs are kept. */
async function verifyOut(out: string, options: VerifyOptions): Promise<Verification> {
  if (lstatSync(decisionPath(out), { throwIfNoEntry: false }) === undefined)
    throw new HarnessError("input", `${out} is neither a run nor the directory of an observation: it has no events.jsonl.`);
  const id = runIdOf(out);
  const directory = id === undefined ? undefined : lookUp(options.data, id);
  const recording = directory === undefined ? undefined : await finished(directory, options);
  return verification("observation", recording, out, options);
}

/** In its directory it is part of an observation; elsewhere only what it says itself can be looked at. */
async function verifyEvents(path: string, options: VerifyOptions): Promise<Verification> {
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

async function verifyBundle(path: string, options: VerifyOptions): Promise<Verification> {
  const folder = mkdtempSync(join(tmpdir(), "harness-bundle-"));
  try {
    const { run, session, out } = unpackBundle(path, folder);
    const recording = { manifest: readManifest(runPaths(run).manifest), directory: run, session };
    return await verification("bundle", recording, out, options);
  } finally {
    await removeTree(folder);
  }
}

async function finished(directory: string, { open, agent }: VerifyOptions): Promise<Recording> {
  const { manifest, owner } = await open(directory, agent);
  if (owner !== undefined)
    throw new HarnessError("locked", `The run ${manifest.id} is being written by process ${owner.pid}; verify it when it has ended.`);
  const { sessions, id } = dataOfRun(directory);
  return { manifest, directory, session: sessionPaths(sessions, id).stream };
}

async function verification(
  target: Verification["target"],
  recording: Recording | undefined,
  out: string | undefined,
  options: VerifyOptions,
): Promise<Verification> {
  const recorded = recording === undefined ? undefined : await recordedFlaws(recording, out, options);
  const observed = out === undefined ? undefined : await observedFlaws(out, recording?.manifest, options);
  const isObserved = recording?.manifest.observed !== undefined || out !== undefined;
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
        ? ["signature: give --allowed-signers"]
        : []),
    ],
    flaws,
  };
}

async function recordedFlaws(
  { manifest, directory, session }: Recording,
  out: string | undefined,
  { agent }: VerifyOptions,
): Promise<readonly Flaw[]> {
  return verifyRun(manifest, runPaths(directory), session, agent ?? (await agentOfRun(manifest)), out);
}

interface ObservedFlaws {
  readonly flaws: readonly Flaw[];
  readonly id?: string;
  readonly records?: number;
  readonly head?: string;
  readonly signer?: string;
  readonly isSigned: boolean;
}

async function observedFlaws(out: string, manifest: RunManifest | undefined, { allowedSigners }: VerifyOptions): Promise<ObservedFlaws> {
  const { flaw, events } = contractFlaw(decisionPath(out));
  const evidence = flaw === undefined ? evidenceFlaw(out, events) : undefined;
  const { seal, flaws } = sealFlaws(out);
  const path = join(out, "seal.json");
  const signed = allowedSigners === undefined ? undefined : await signerOf(path, allowedSigners);
  const { signer, problem } = { signer: undefined, problem: undefined, ...signed };
  const isSame = manifest === undefined || seal === undefined || (seal.digest === manifest.digest && seal.head === manifest.sealed?.head);
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

/** The same place can be found wrong twice: by what it says, and by its seal. The first to say so is the one that says more. */
function unique(flaws: readonly Flaw[]): readonly Flaw[] {
  const nameOf = ({ file }: Flaw) => file.replace(/^out\//, "");
  return flaws.filter((flaw, index) => flaws.findIndex((each) => nameOf(each) === nameOf(flaw) && each.problem === flaw.problem) === index);
}
