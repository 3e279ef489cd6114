import { createHash, randomBytes } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { version } from "../core/version.ts";
import { openAppendFile } from "../store/append-file.ts";
import { type DataDirectory, ensurePrivate } from "../store/data-directory.ts";
import { fingerprintsOf } from "../store/fingerprints.ts";
import { acquireLock, type Lock } from "../store/lock.ts";
import { logError } from "../store/log-error.ts";
import { maskText } from "../store/mask-text.ts";
import { type FindSecrets, findForms } from "../store/masker.ts";
import { type Reserve, reserveSpace } from "../store/reserve.ts";
import { newRunId } from "../store/run-id.ts";
import { MANIFEST_VERSION, type RunManifest } from "../store/run-manifest.ts";
import { type RunPaths, runPaths, sessionPaths } from "../store/run-paths.ts";
import { secretForms } from "../store/secret-forms.ts";
import { createSpoolFile, openSpool, type Spool } from "../store/spool.ts";
import { writeAtomically } from "../store/write-atomically.ts";
import type { RunPlan } from "./plan-run.ts";
import type { RecordingFiles } from "./recording.ts";

/** A run's directory while it is being written: everything that is open in it. */
export interface OpenDirectory {
  readonly id: string;
  readonly paths: RunPaths;
  readonly session: { readonly stream: string; readonly meta: string };
  readonly manifest: RunManifest;
  readonly find: FindSecrets;
  readonly files: RecordingFiles;
  readonly spools: readonly [stdout: Spool, stderr: Spool];
  /** For the agent; to be closed once it has them. */
  readonly stdio: readonly [stdin: number | "ignore", stdout: number, stderr: number];
  readonly reserve: Reserve;
  readonly lock: Lock;
}

/** What a run is called and given besides its plan. */
export interface Labels {
  readonly name?: string;
  readonly tags?: readonly string[];
}

/** Creates it, locked and private, with all that is known before the start. Nothing has been started yet when this fails. */
export async function createRunDirectory(data: DataDirectory, plan: RunPlan, labels: Labels, startedAt: number): Promise<OpenDirectory> {
  ensurePrivate(data.root, { mayBeLink: true });
  ensurePrivate(data.runs);
  ensurePrivate(data.sessions);
  const id = newRunId(new Date(startedAt));
  const paths = runPaths(join(data.runs, id));
  const session = sessionPaths(data.sessions, id);
  makeDirectory(paths.directory);
  try {
    makeDirectory(paths.artifacts);
    const lock = await acquireLock(paths.directory, { command: `harness run --agent ${plan.agent.id}` });
    const { manifest, find } = describe(id, plan, labels, startedAt);
    const reserve = reserveSpace(paths.directory);
    const stdout = createSpoolFile(paths.stdout);
    const stderr = createSpoolFile(paths.stderr);
    writePrivate(paths.prompt, plan.prompt);
    const stdin = plan.stdin === undefined ? "ignore" : openSync(paths.prompt, "r");
    const files = {
      records: openAppendFile(paths.records, { exclusive: true }),
      events: openAppendFile(paths.events, { exclusive: true }),
      session: openAppendFile(session.stream, { exclusive: true }),
    };
    writeAtomically(paths.manifest, jsonText(manifest));
    const spools = [openSpool(paths.stdout, "stdout", find), openSpool(paths.stderr, "stderr", find)] as const;
    return { id, paths, session, manifest, find, files, spools, stdio: [stdin, stdout, stderr], reserve, lock };
  } catch (error) {
    for (const path of [paths.directory, session.stream]) rmSync(path, { recursive: true, force: true }); // nothing has happened in it
    throw error;
  }
}

function describe(id: string, plan: RunPlan, labels: Labels, startedAt: number): { manifest: RunManifest; find: FindSecrets } {
  const forms = secretForms(plan.secrets.map(({ value }) => value));
  const find = findForms(forms);
  const mask = (text: string) => maskText(text, find);
  const manifest: RunManifest = {
    schemaVersion: MANIFEST_VERSION,
    id,
    ...(labels.name === undefined ? {} : { name: mask(labels.name) }),
    tags: (labels.tags ?? []).map(mask),
    agent: plan.agent.id,
    startedAt,
    cwd: plan.cwd,
    model: plan.model,
    permissions: plan.permissions,
    prompt: { bytes: Buffer.byteLength(plan.prompt), sha256: createHash("sha256").update(mask(plan.prompt)).digest("hex") },
    command: { binary: plan.binary, args: plan.args.map(mask), promptBy: plan.stdin === undefined ? "argument" : "stdin" },
    environment: { set: plan.environment.set, removed: plan.environment.removed },
    secrets: { names: plan.secrets.map(({ name }) => name), ...(forms.length === 0 ? {} : { fingerprints: fingerprintsOf(forms) }) },
    recorder: { version, node: process.version, platform: `${process.platform}-${process.arch}`, host: hostname(), pid: process.pid },
    cookie: `${id}.${randomBytes(12).toString("hex")}`,
  };
  return { manifest, find };
}

/** The agent has its descriptors: ours would keep the files open for writing. */
export function closeAgentDescriptors({ stdio }: OpenDirectory): void {
  for (const fd of stdio) if (typeof fd === "number") closeSync(fd);
}

/** Somebody has deleted the run's files: what is still open is written again under its name. */
export function restore({ paths, spools }: OpenDirectory): void {
  mkdirSync(paths.artifacts, { recursive: true, mode: 0o700 });
  const [stdout, stderr] = spools;
  if (!existsSync(paths.stdout)) stdout.restore(paths.stdout);
  if (!existsSync(paths.stderr)) stderr.restore(paths.stderr);
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    throw logError(`Cannot create ${path}`, error);
  }
}

function writePrivate(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw logError(`Cannot write ${path}`, error);
  }
}
