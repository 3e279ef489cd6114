import { createHash, randomBytes } from "node:crypto";
import { chmodSync, closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { errorWords, HarnessError, isObject, translation, version } from "../../../pure/base/index.ts";
import type { Evaluated } from "../../../pure/pipeline/index.ts";
import { acquireLock, type Lock, logError, openAppendFile, openPrivate, type Reserve, reserveSpace } from "../../files/index.ts";
import { type FindSecrets, findEncoded, findForms, maskBytes, maskWord, secretForms } from "../../secrets/index.ts";
import { forProgram, recorded, type SafeText, textOfBytes, writeFully } from "../../sink/index.ts";
import {
  addToOrder,
  createSpoolFile,
  type DataDirectory,
  ensurePrivate,
  fingerprintsOf,
  LONGEST_FACT,
  MANIFEST_VERSION,
  manifestFlaw,
  openSpool,
  type RunManifest,
  type RunPaths,
  recordChain,
  rememberModule,
  runIndex,
  runPaths,
  type SafeFact,
  type Spool,
  sessionPaths,
} from "../format/index.ts";
import { isOutside, type KeptView, keptPath, namedOutside } from "./kept-views.ts";
import type { RecordingFiles } from "./recording.ts";
import type { RunPlan } from "./run-plan.ts";

/** A run's directory while it is written: everything that is open in it. */
export interface OpenDirectory {
  readonly id: string;
  readonly paths: RunPaths;
  readonly session: { readonly stream: string; readonly meta: string };
  readonly manifest: RunManifest;
  readonly find: FindSecrets;
  /** As in `prompt.txt`: masked, with the number of masked places. */
  readonly prompt: { readonly text: SafeText; readonly masked: number };
  readonly files: RecordingFiles;
  readonly spools: readonly [stdout: Spool, stderr: Spool];
  /** For the agent; close them once it has them. */
  readonly stdio: readonly [stdin: number | "ignore" | "pipe", stdout: number, stderr: number];
  readonly reserve: Reserve;
  readonly lock: Lock;
}

/** What is known about a run before its first byte. */
export interface RunDescription
  extends Pick<
    RunPlan,
    "id" | "agent" | "like" | "prompt" | "cwd" | "model" | "permissions" | "earlier" | "sessionName" | "environment" | "secrets"
  > {
  readonly task?: Pick<RunPlan["task"], "allow" | "deny" | "mcp">;
  /** For a process: what is started. */
  readonly command?: Pick<RunPlan, "binary" | "args" | "promptBy" | "stdin" | "isForeign">;
  /** Its requests to its model are recorded. */
  readonly isWired?: boolean;
  /** For a run that is not our process: the origin of its bytes. */
  readonly origin?: RunManifest["origin"];
}

/** What a run has besides its plan. */
export interface Labels {
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly evaluated?: Evaluated;
  /** A directory outside the run; it exists. */
  readonly out?: string;
  /** If it is not the local launcher. */
  readonly launcher?: RunManifest["launcher"];
  readonly isolation?: RunManifest["isolation"];
}

/** Creates the directory, locked and private, with everything known before the start. If this fails, nothing has been started. */
export async function createRunDirectory(
  data: DataDirectory,
  plan: Pick<RunDescription, "id" | "agent" | "command" | "isWired">,
  { manifest, find, prompt }: Described,
  kept: readonly KeptView[],
): Promise<OpenDirectory> {
  ensurePrivate(data.root, { mayBeLink: true });
  ensurePrivate(data.runs);
  ensurePrivate(data.sessions);
  const { id } = plan;
  const paths = runPaths(join(data.runs, id));
  const session = sessionPaths(data.sessions, id);
  const out = manifest.observed?.out;
  for (const path of [paths.directory, session.stream, session.meta])
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
      throw new HarnessError("usage", `${path} already exists. Choose a different id.`, { option: "id" });
  const lock = await publish(data, paths.directory, manifest);
  const undo: (() => unknown)[] = [
    () => rmSync(paths.directory, { recursive: true, force: true }), // nothing has happened in it
    () => lock.release(),
  ];
  const opened = <T extends { close(): void }>(file: T): T => {
    undo.push(() => file.close());
    return file;
  };
  try {
    makeDirectory(paths.artifacts);
    const reserve = reserveSpace(paths.directory);
    undo.push(() => reserve.free());
    writePrivate(paths.prompt, prompt.text);
    const files = {
      records: opened(openAppendFile(paths.records, { exclusive: true })),
      views: kept.flatMap((each) => {
        const path = keptPath(each, { directory: paths.directory, session: session.stream, out });
        if (path === undefined) return [];
        const file = opened(openAppendFile(path, { exclusive: true }));
        undo.push(() => rmSync(path, { force: true }));
        return [{ kept: each, file }];
      }),
      index: opened(runIndex(paths.index)),
      ...(plan.isWired === true && { wire: opened(openAppendFile(paths.wire, { exclusive: true })) }),
      ...(plan.command?.promptBy === "protocol" && { client: opened(openAppendFile(paths.client, { exclusive: true })) }),
    };
    const stdio = agentDescriptors(paths, plan.command);
    undo.push(() => closeAgentDescriptors({ stdio }));
    const spools = [opened(openSpool(paths.stdout, "stdout", find)), opened(openSpool(paths.stderr, "stderr", find))] as const;
    const { origin } = plan.agent;
    if (origin?.kind === "module") rememberModule(data, origin); // so that the run can be read later without naming the module
    return { id, paths, session, manifest, find, prompt, files, spools, stdio, reserve, lock };
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error instanceof HarnessError ? error : logError(`Cannot prepare ${paths.directory}`, error);
  }
}

/**
 * A directory with that name exists only together with its run.json and its lock: everyone who sees it sees a run, and whether it is being
 * written. Until then its name begins with a dot, so a killed recorder leaves nothing that looks like a run.
 */
async function publish(data: DataDirectory, directory: string, manifest: RunManifest): Promise<Lock> {
  const hidden = join(dirname(directory), `.${basename(directory)}`);
  makeDirectory(hidden);
  let lock: Lock | undefined;
  try {
    lock = await acquireLock(hidden, { command: `a run of ${manifest.agent}` });
    writePrivate(runPaths(hidden).manifest, recorded(jsonText(manifest)));
    addToOrder(data, manifest.id);
    renameSync(hidden, directory);
    return lock;
  } catch (error) {
    await lock?.release();
    rmSync(hidden, { recursive: true, force: true });
    throw error instanceof HarnessError ? error : logError(`Cannot create ${directory}`, error);
  }
}

export type Described = Pick<OpenDirectory, "manifest" | "find" | "prompt">;

/** Describes a run before anything of it exists. Throws if the description could not be read again. */
export function describeRun(plan: RunDescription, labels: Labels, kept: readonly KeptView[], startedAt: number): Described {
  const forms = secretForms(plan.secrets.map(({ value }) => value));
  const find = findEncoded(findForms(forms));
  const { task = {}, command, origin } = plan;
  if (labels.out !== undefined && find.find(Buffer.from(labels.out)).length > 0)
    throw new HarnessError("usage", "The path of the observation contains a secret. Choose a different directory.", { option: "out" });
  const prompt = maskedPrompt(plan.prompt, find);
  const manifest = readable({
    schemaVersion: MANIFEST_VERSION,
    id: plan.id,
    name: labels.name,
    tags: labels.tags ?? [],
    evaluated: labels.evaluated,
    observed: labels.out === undefined ? undefined : { out: labels.out, views: namedOutside(kept) },
    agent: plan.agent.id,
    agentFile: plan.agent.origin,
    like: plan.like,
    startedAt,
    cwd: plan.cwd,
    model: plan.model,
    permissions: plan.permissions,
    ...((task.allow ?? task.deny) && { rules: { allow: task.allow ?? [], deny: task.deny ?? [] } }),
    mcp: task.mcp?.map(({ name }) => name),
    resumes: plan.earlier?.id,
    session: { name: plan.sessionName, used: plan.earlier?.used },
    prompt: {
      bytes: Buffer.byteLength(plan.prompt),
      sha256: createHash("sha256").update(prompt.text).digest("hex"),
      ...(prompt.masked === 0 ? {} : { masked: prompt.masked }),
    },
    ...(command && {
      command: {
        binary: command.binary,
        args: command.args,
        promptBy: command.promptBy,
        ...(command.isForeign && { foreign: true as const }),
      },
    }),
    origin,
    launcher: labels.launcher,
    isolation: labels.isolation,
    environment: { set: plan.environment.set, removed: plan.environment.removed },
    secrets: {
      names: [...new Set(plan.secrets.map(({ name }) => name))],
      ...(forms.length === 0 ? {} : { fingerprints: fingerprintsOf(forms) }),
    },
    recorder: {
      version,
      translation,
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      host: hostname(),
      pid: process.pid,
    },
    cookie: `${plan.id}.${randomBytes(12).toString("hex")}`,
  });
  return { manifest: maskManifest(manifest, find), find, prompt };
}

/** The manifest as plain JSON. */
function readable(manifest: RunManifest): RunManifest {
  let text: string;
  try {
    text = jsonText(manifest); // as it is written: with its indentation it may be far longer
  } catch (error) {
    throw new HarnessError("usage", `The description of the run cannot be written as JSON: ${errorWords(error)}`, { cause: error });
  }
  const plain: RunManifest = JSON.parse(text);
  const flaw = manifestFlaw(plain);
  if (flaw !== undefined) throw new HarnessError("usage", `\`${flaw.join(".")}\` is missing or not valid.`, { option: String(flaw[0]) });
  if (text.length <= LONGEST_FACT) return plain;
  throw new HarnessError("usage", `The description of the run is too long: its JSON has more than ${LONGEST_FACT} characters.`);
}

/** Fields that people and programs fill in. The others are ids and numbers, and the places of other files, that a later process needs verbatim. */
const MASKED = [
  "name",
  "tags",
  "evaluated",
  "cwd",
  "model",
  "rules",
  "mcp",
  "origin",
  "launcher",
  "isolation",
] as const satisfies (keyof RunManifest)[];

function maskManifest(manifest: RunManifest, find: FindSecrets): RunManifest {
  const { command, agentFile } = manifest;
  return {
    ...manifest,
    ...Object.fromEntries(MASKED.flatMap((name) => (name in manifest ? [[name, masked(manifest[name], find)]] : []))),
    ...(command && { command: masked(command, find) }),
    ...(agentFile?.schema && { agentFile: { ...agentFile, ...masked({ schema: agentFile.schema }, find) } }),
  };
}

/** Objects with any field names: these may hold a secret too. */
const FREE = new Set(["about", "metadata", "schema"]);

function masked<T>(value: T, find: FindSecrets, isFree = false): T {
  if (typeof value === "string") return maskWord(value, find) as T;
  if (Array.isArray(value)) return value.map((item) => masked(item, find, isFree)) as T;
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    isFree ? maskWord(name, find) : name,
    masked(field, find, isFree || FREE.has(name)),
  ]);
  return Object.fromEntries(fields);
}

function maskedPrompt(prompt: string, find: FindSecrets): OpenDirectory["prompt"] {
  const { bytes, masked } = maskBytes(Buffer.from(prompt), find);
  return { text: textOfBytes(bytes), masked };
}

/** The agent's descriptors: its prompt or no input, and the files to write to. */
function agentDescriptors(paths: RunPaths, command: RunDescription["command"]): OpenDirectory["stdio"] {
  const stdout = createSpoolFile(paths.stdout);
  const stderr = createSpoolFile(paths.stderr);
  if (command?.promptBy === "protocol") return ["pipe", stdout, stderr];
  const stdin = command?.stdin;
  return [stdin === undefined ? "ignore" : namelessFile(join(paths.directory, ".stdin"), stdin), stdout, stderr];
}

/** A file without a name: a prompt may hold a secret, which must not stay on disk if we are killed. */
function namelessFile(path: string, text: string): number {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  unlinkSync(path);
  const { error } = writeFully(fd, forProgram(text), 0); // the agent reads from 0
  if (error !== undefined) throw error;
  return fd;
}

/** Closes our copies of the agent's descriptors, which would keep the files open for writing. */
export function closeAgentDescriptors({ stdio }: Pick<OpenDirectory, "stdio">): void {
  for (const fd of stdio) if (typeof fd === "number") closeSync(fd);
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** The run's files that can no longer be found by name. Outside views are not included; they are restored at the end. */
export function lostFiles({ paths, spools, files }: OpenDirectory): readonly string[] {
  const said = [files.client === undefined ? [] : [paths.client], files.wire === undefined ? [] : [paths.wire]].flat();
  const views = files.views.filter(({ kept }) => !isOutside(kept)).map(({ file }) => file.path);
  const named = [paths.manifest, paths.prompt, paths.records, paths.stdout, paths.stderr, ...views, ...said];
  const unlinked = spools.filter((spool) => !spool.isLinked()).map(({ stream }) => paths[stream]);
  return [...new Set([...named.filter((path) => !isFile(path)), ...unlinked])];
}

/** Writes lost files again as far as possible. Lost records start anew, with the fact that says so. */
export function restore({ paths, session, spools, prompt }: OpenDirectory, fact: SafeFact): void {
  for (const directory of [dirname(paths.directory), paths.directory, paths.artifacts, dirname(session.stream)]) ensurePrivate(directory);
  for (const spool of spools) {
    const path = paths[spool.stream];
    if (existsSync(path) && spool.isLinked()) continue;
    if (existsSync(path)) renameSync(path, `${path}.replaced`); // another process has put it there
    spool.restore(path);
  }
  if (!existsSync(paths.prompt)) writePrivate(paths.prompt, prompt.text);
  if (!existsSync(paths.records)) writePrivate(paths.records, recordChain().add(fact));
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    chmodSync(path, 0o700); // the umask may have removed even our own rights
  } catch (error) {
    throw logError(`Cannot create ${path}`, error);
  }
}

function writePrivate(path: string, text: SafeText): void {
  const { fd } = openPrivate(path, { exclusive: true });
  try {
    const { error } = writeFully(fd, text);
    if (error !== undefined) throw logError(`Cannot write ${path}`, error);
  } finally {
    closeSync(fd);
  }
}
