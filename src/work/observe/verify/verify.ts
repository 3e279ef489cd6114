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
import { type Audit, audit, evidenceIn } from "../audit/index.ts";
import { openedRun, type RecordedOptions } from "../opened-run.ts";
import { decisionPath } from "../out-directory.ts";
import { isBundle, refuseCompressed, unpackBundle } from "../write-bundle.ts";
import { type Compliance, complianceOf, NOT_OBSERVED } from "./compliance.ts";
import { judgeByRecording } from "./judge-by-recording.ts";
import { contractFlaw, evidenceFlaw, type OutSeal, runIdOf, sealFlaws } from "./out-flaws.ts";
import { checkPolicy, checkSignatures, type SignaturePolicy, unsigned } from "./signatures.ts";

export interface VerifyOptions extends RecordedOptions, SignaturePolicy {
  /** Reads the recording in place of the recorded agent: an id, an alias, a file with your own agent, or the agent itself. */
  readonly agent?: string | Agent | undefined;
}

interface Given extends RecordedOptions {
  readonly data: DataDirectory;
  readonly agent: Agent | undefined;
  readonly policy: SignaturePolicy;
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
  /** Whether it is minimally compliant by the checklist of specification 003. */
  readonly compliance: Compliance;
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
export async function verify(
  target: string,
  { agent, allowedSigners, signers, signed, ...options }: VerifyOptions = {},
): Promise<Verification> {
  const policy = { allowedSigners, signers, signed };
  checkPolicy(policy);
  const reader = typeof agent === "string" ? await agentNamed(agent) : agent;
  try {
    return await verified(target, { ...options, data: dataOf(options), agent: reader, policy });
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
    if (stats?.isFile()) refuseCompressed(path);
    if (stats?.isFile()) return verifyEvents(resolve(path), options);
    if (stats !== undefined) throw new HarnessError("input", `${name} is neither a file nor a directory, so there is nothing to verify.`);
  }
  return verifyNamedRun(findRun(options.data, name), options);
}

async function verifyNamedRun(directory: string, options: Given): Promise<Verification> {
  const recording = await finished(directory, options);
  const out = recording.manifest && outsideOf(recording.manifest);
  return verification("run", recording, out, options, misnamed(basename(directory), recording.manifest?.id));
}

/** The directory of an observation; its recording is searched in the data directory. */
async function verifyOut(out: string, options: Given): Promise<Verification> {
  if (lstatSync(decisionPath(out), { throwIfNoEntry: false }) === undefined)
    throw new HarnessError("input", `${out} is neither a run nor the directory of an observation: it has no events.jsonl.`);
  const id = runIdOf(out);
  const directory = id === undefined ? undefined : lookUp(options.data, id);
  const recording = directory === undefined ? undefined : await finished(directory, options);
  const odd = [...misnamed(basename(out), id), ...(recording === undefined ? [] : misnamed(id, recording.manifest?.id))];
  return verification("observation", recording, out, options, odd);
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
  const audited = flaw === undefined ? await audit(events, undefined, basename(path)) : NOTHING;
  const unproven = options.policy.allowedSigners === undefined ? [] : [unsigned(path)];
  const flaws = [...(flaw === undefined ? audited.flaws : [flaw]), ...unproven];
  const compliance = complianceOf(events, undefined, audited.flaws.some(isOverclaim));
  return {
    target: "events",
    id,
    ok: flaws.length === 0,
    records: null,
    head: null,
    compliance,
    unchecked: [...unchecked, ...audited.unchecked],
    flaws,
  };
}

async function verifyBundle(path: string, options: Given): Promise<Verification> {
  const folder = mkdtempSync(join(tmpdir(), "harness-bundle-"));
  try {
    const { run, session, out, flaw } = unpackBundle(path, folder);
    if (flaw !== undefined) {
      const flaws = [{ file: basename(path), ...flaw }];
      return {
        target: "bundle",
        id: null,
        ok: false,
        records: null,
        head: null,
        compliance: NOT_OBSERVED,
        unchecked: ["its contents"],
        flaws,
      };
    }
    const { manifest: description } = runPaths(run);
    const manifest = existsSync(description) ? manifestIn(description) : undefined;
    return await verification("bundle", { manifest, directory: run, session }, out, options, []);
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
  odd: readonly Flaw[],
): Promise<Verification> {
  const recorded = recording === undefined ? undefined : await recordedFlaws(recording, out, options);
  const observed = out === undefined ? undefined : await observedFlaws(out, recording?.manifest);
  const judged =
    out === undefined ? undefined : await judgeByRecording(observed?.unjudged ?? [], out, await sameReader(recording, options));
  const isObserved = recording?.manifest?.observed !== undefined || out !== undefined;
  const signatures = await checkSignatures({ run: recording?.directory, observation: out, isObserved }, options.policy);
  const flaws = unique([...odd, ...(observed?.flaws ?? []), ...(judged?.flaws ?? []), ...(recorded ?? []), ...signatures.flaws]);
  const { id = observed?.id ?? null, sealed } = recording?.manifest ?? {};
  return {
    target,
    id,
    ok: flaws.length === 0,
    records: sealed?.records ?? observed?.records ?? null,
    head: sealed?.head ?? observed?.head ?? null,
    ...(signatures.signer !== undefined && { signer: signatures.signer }),
    compliance: observed?.compliance ?? NOT_OBSERVED,
    unchecked: [
      ...(recorded === undefined ? ["recording: it is not on this machine, so neither the chain nor the re-derivation was checked"] : []),
      ...(recording?.manifest === undefined || readsAlike(recording.manifest) ? [] : [earlierRecorder(recording.manifest)]),
      ...(isObserved && out === undefined ? ["observation: its directory has moved or is gone"] : []),
      ...(recorded === undefined ? (observed?.unchecked ?? []) : []),
      ...(judged?.unchecked ?? []),
      ...signatures.unchecked,
    ],
    flaws,
  };
}

/** Undefined if the recording is missing, or if this version reads it differently. */
async function sameReader(recording: Recording | undefined, { agent }: Given) {
  const { manifest, directory } = recording ?? {};
  if (manifest === undefined || directory === undefined || !readsAlike(manifest)) return undefined;
  const reader = agent ?? (await readerOf(manifest));
  return reader && { manifest, directory, agent: reader };
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

const NOTHING: Audit = { flaws: [], unchecked: [], unjudged: [] };

/** A claim about the inside of the agent that the evidence does not give. */
function isOverclaim({ problem }: Flaw): boolean {
  return /^(?:prompt_provenance|model_output|observability_mode)\b/.test(problem);
}

/** A run under another run's name is not the run it is called. A name that is not a run's id says nothing. */
function misnamed(name: string | undefined, id: string | undefined): readonly Flaw[] {
  if (name === undefined || id === undefined || name === id || !RUN_ID.test(name)) return [];
  return [{ file: "run.json", problem: `this is the run ${id}, not ${name}` }];
}

const RUN_ID = /^\d{8}-\d{6}-[A-Za-z0-9_-]{1,100}$/;

interface ObservedFlaws {
  readonly flaws: readonly Flaw[];
  readonly id?: string;
  readonly records?: number;
  readonly head?: string;
  readonly compliance: Compliance;
  readonly unchecked: readonly string[];
  readonly unjudged: Audit["unjudged"];
}

async function observedFlaws(out: string, manifest: RunManifest | undefined): Promise<ObservedFlaws> {
  const { flaw, events } = contractFlaw(decisionPath(out));
  const evidence = flaw === undefined ? evidenceFlaw(out, events) : undefined;
  const audited = flaw === undefined && evidence === undefined ? await audit(events, evidenceIn(out)) : NOTHING;
  const { seal, text, flaws } = sealFlaws(out, events);
  const isSame = manifest === undefined || seal === undefined || isSealOf(manifest, seal, text);
  return {
    flaws: [
      ...(flaw === undefined ? [] : [flaw]),
      ...(evidence === undefined ? [] : [evidence]),
      ...audited.flaws,
      ...flaws,
      ...(isSame ? [] : [{ file: "seal.json", problem: "it is not the seal of the recording" }]),
    ],
    ...(seal !== undefined && { id: seal.run_id, records: seal.records, head: seal.head }),
    compliance: complianceOf(events, out, audited.flaws.some(isOverclaim)),
    unchecked: audited.unchecked,
    unjudged: audited.unjudged,
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
