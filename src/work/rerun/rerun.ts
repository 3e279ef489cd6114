import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  eventsOfRun,
  findView,
  type OpenedRun,
  planRun,
  type RunManifest,
  type RunOptions,
  readManifest,
  readWire,
  runPaths,
  startRun,
  type WireCall,
  wireFlaws,
} from "../../host/recording/index.ts";
import { findSecrets, maskText } from "../../host/secrets/index.ts";
import { HarnessError, numberOf, parseObject } from "../../pure/base/index.ts";
import type { RunStatus } from "../../pure/events/index.ts";
import { isAtLeast, isolationOf } from "../../pure/isolation/index.ts";
import type { Agent } from "../../pure/pipeline/index.ts";
import { normalizer } from "../../pure/wire/index.ts";
import { withPlaceholders } from "./placeholders.ts";
import { type Divergence, type RecordedModelOptions, recordedModel, turnsIn } from "./recorded-model.ts";
import { type FilesCompared, startFiles } from "./start-files.ts";

export type { Divergence } from "./recorded-model.ts";

export interface RerunCall extends Pick<RecordedModelOptions, "mode" | "speed" | "from"> {
  readonly run: OpenedRun;
  /** How the user starts this agent. The prompt, the directory, the permissions and the rules are those of the recording. */
  readonly options: Omit<RunOptions, "prompt"> & { readonly agent: Agent };
  /** The files with which the run began: a directory, which is copied. Default: what the recording says, else its directory as it is now. */
  readonly workspace?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onStart?: (run: { readonly id: string; readonly cancel: () => void }) => void;
}

/** How a rerun went. */
export interface Rerun {
  readonly run: string;
  /** The id of the new run. */
  readonly rerun: string;
  readonly agent: string;
  /** Every request was equal and none is missing; what the agent said and did to its files is equal, as far as that was recorded. */
  readonly exact: boolean;
  readonly requests: { readonly recorded: number; readonly asked: number; readonly equal: number; readonly live: number };
  readonly divergence: Divergence | null;
  readonly files: FilesCompared;
  /** Whether the agent reported the same texts. Null: not comparable. */
  readonly said: boolean | null;
  readonly status: { readonly recorded: RunStatus | null; readonly now: RunStatus | null };
  /** What a reader should know. */
  readonly notes: readonly string[];
}

/** After the last answer, a run that was stopped is stopped again, but not later than this. */
const LONGEST_REST_MS = 10 * 60_000;

/** Runs a recorded agent again, with the recorded answers of its model. Rejects if that is impossible, before anything is started. */
export async function rerun({ run, options, workspace, mode, speed, from, signal, onStart }: RerunCall): Promise<Rerun> {
  const { manifest, directory } = run;
  const calls = callsOf(run);
  const turns = turnsIn(calls);
  const { agent } = options;
  if (from !== undefined && from > turns.length + 1)
    throw new HarnessError("usage", `The recording has ${turns.length} requests for a turn, so it cannot continue at ${from}.`, {
      option: "from",
    });
  const notes: string[] = [];
  const before = await seenIn(manifest, directory, agent);
  const start = workspace ?? (before.isObserved ? before.copiedFrom : manifest.cwd);
  if (workspace === undefined && !before.isObserved)
    notes.push("The recording does not have the files with which the run began; those that its directory has now were used.");
  const level = isolationOf(options.isolate ?? "sealed").level;
  const files = await startFiles(start, directory, signal);
  try {
    const isShown = isAtLeast(level, "files");
    const cwd = isShown ? manifest.cwd : files.workspace;
    const prompt = promptOf(run);
    const origins = [...new Set(turns.map(({ origin }) => origin))];
    const call: RunOptions = {
      ...options,
      ...withPlaceholders(options, origins, level, from !== undefined),
      prompt,
      cwd,
      ...(isShown && { cwdFrom: files.workspace }),
      wire: true,
      ...(signal && { signal }),
      tags: [...(options.tags ?? []), `rerun:${manifest.id}`],
    };
    const plan = planRun(call);
    const find = findSecrets(plan.secrets);
    const normal = {
      recorded: normalizer(agent.volatile ?? {}, [{ path: manifest.cwd, name: "workspace" }]),
      now: normalizer(agent.volatile ?? {}, [
        { path: cwd, name: "workspace" },
        { path: files.workspace, name: "workspace" },
      ]),
    };
    let cancel = () => {};
    const model = recordedModel(calls, {
      mode,
      speed,
      from,
      lines: ({ body, ...request }, isRecorded) => (isRecorded ? normal.recorded : normal.now)({ ...request, body: maskText(body, find) }),
      onDivergence: () => cancel(),
      onLast: () => {
        const rest = restAfter(manifest, calls);
        if (rest !== undefined) setTimeout(() => cancel(), rest).unref();
      },
    });
    const live = await startRun(plan, { ...call, modelInstead: model.answer }, findView("result"));
    cancel = () => live.cancel();
    onStart?.({ id: live.id, cancel });
    for await (const _ of live.batches()) void _;
    const seal = await live.sealed;
    const after = await seenIn(readManifest(runPaths(live.directory).manifest), live.directory, agent);
    const compared = await files.compared(find);
    const said = from === undefined ? sameTexts(before.texts, after.texts, [manifest.cwd, cwd]) : null;
    for (const path of new Set(model.strange)) notes.push(`This request was not recorded and got no answer: ${path}.`);
    const divergence = model.divergence() ?? null;
    return {
      run: manifest.id,
      rerun: live.id,
      agent: agent.id,
      exact: divergence === null && compared.equal !== false && said !== false && from === undefined,
      requests: { recorded: turns.length, asked: model.asked, equal: model.equal, live: model.live },
      divergence,
      files: compared,
      said,
      status: { recorded: manifest.sealed?.status ?? null, now: seal.status },
      notes,
    };
  } finally {
    await files.remove();
  }
}

/** Rejects what cannot be run again. */
function callsOf({ manifest, directory, owner }: OpenedRun): readonly WireCall[] {
  const { id } = manifest;
  const reject = (why: string, about: { readonly option?: string } = {}) =>
    new HarnessError("input", `The run ${id} cannot be run again: ${why}`, about);
  if (owner !== undefined) throw new HarnessError("locked", `The run ${id} is still running, in process ${owner.pid}.`);
  if (manifest.resumes !== undefined) throw reject("it resumes the session of an earlier run, which a new run does not have.");
  if (manifest.command === undefined) throw reject("it was imported, so there is nothing to start.");
  const { wire } = runPaths(directory);
  const calls = readWire(wire);
  if (calls === undefined) throw reject("its requests were not recorded. Record them with `wire`.", { option: "wire" });
  const [flaw] = wireFlaws(wire, manifest.sealed?.files["wire.jsonl"]);
  if (flaw !== undefined) throw reject(`${flawPlace(wire, flaw.line)}: ${flaw.problem}.`);
  const unread = calls.find((call) => call.body === null || call.answer?.isWhole === false || call.answer?.status === 101);
  if (unread !== undefined) throw reject(`the contents of request ${unread.call} were not recorded.`);
  if (turnsIn(calls).length === 0) throw reject("it has no request to a model.");
  return calls;
}

/** The request whose record was changed. */
function flawPlace(path: string, line: number | undefined): string {
  if (line === undefined) return "wire.jsonl is not as it was sealed";
  const changed = parseObject(readFileSync(path, "utf8").split("\n")[line - 1] ?? "");
  const call = numberOf(changed?.["call"]);
  const what = changed?.["type"] === "request" ? "request" : "the answer to request";
  return call === undefined ? `wire.jsonl, line ${line}` : `${what} ${call} (wire.jsonl, line ${line})`;
}

function promptOf({ directory, manifest }: OpenedRun): string {
  if (manifest.prompt.masked !== undefined)
    throw new HarnessError("input", `The run ${manifest.id} cannot be run again: its prompt contains a secret, which was not recorded.`);
  return readFileSync(join(directory, "prompt.txt"), "utf8");
}

/**
 * How long to wait after the last answer before the run is stopped again. Undefined: it ended by itself. What the agent did before it
 * was stopped may take longer now, so the wait is longer than the recorded one.
 */
function restAfter({ sealed, startedAt }: RunManifest, calls: readonly WireCall[]): number | undefined {
  if (sealed?.stopped === undefined || sealed.stopped === "after-result" || sealed.durationMs === null) return undefined;
  const ends = calls.flatMap(({ answer, startedAt: asked }) => [answer?.chunks.at(-1)?.at ?? answer?.at ?? asked]);
  return Math.min(LONGEST_REST_MS, 2 * Math.max(0, startedAt + sealed.durationMs - Math.max(...ends)) + 5000);
}

interface Seen {
  readonly isObserved: boolean;
  readonly copiedFrom: string | undefined;
  readonly texts: readonly string[];
}

async function seenIn(manifest: RunManifest, directory: string, agent: Agent): Promise<Seen> {
  const texts: string[] = [];
  let [isObserved, copiedFrom]: [boolean, string | undefined] = [false, undefined];
  for await (const batch of eventsOfRun(manifest, directory, agent))
    for (const { body } of batch) {
      if (body.type === "workspace-prepared") [isObserved, copiedFrom] = [true, body.copiedFrom];
      if (body.type === "message" && body.role === "assistant") texts.push(body.text);
    }
  return { isObserved, copiedFrom, texts };
}

/** Texts of subagents that work at the same time may come in any order. */
function sameTexts(recorded: readonly string[], now: readonly string[], [before = "", after = ""]: readonly string[]): boolean {
  const plain = (texts: readonly string[], path: string) =>
    texts
      .map((text) =>
        normalizer({}, [
          { path, name: "workspace" },
          { path: tmpdir(), name: "tmp" },
        ])({ method: "", path: "", body: text }).join("\n"),
      )
      .sort();
  const [old, made] = [plain(recorded, before), plain(now, after)];
  return old.length === made.length && old.every((text, i) => text === made[i]);
}
