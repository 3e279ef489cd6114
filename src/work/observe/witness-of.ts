import { existsSync, linkSync, realpathSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { writeAtomically } from "../../host/files/index.ts";
import { isModule } from "../../host/process/index.ts";
import {
  COURSE_FILE,
  copyPrivate,
  eventsOfRun,
  holds,
  maskFile,
  OUTPUT_FILES,
  outsideView,
  PROCESS_FILE,
  processRecord,
  publishArtifacts,
  type RecordFact,
  type RunPlan,
  readManifest,
  runPaths,
  sealOfFile,
  type Witness,
  writeCourse,
} from "../../host/recording/index.ts";
import { type FindSecrets, hideSecretsIn, maskText } from "../../host/secrets/index.ts";
import { json, own } from "../../host/sink/index.ts";
import { copyTree, type Rebuilt, removeTree } from "../../host/workspace/index.ts";
import { counted, errorWords, HarnessError, jsonLines, translation, version } from "../../pure/base/index.ts";
import type {
  ArtifactBody,
  CheckBody,
  CommandsObservedBody,
  FileRef,
  ModelLedgerBody,
  Resources,
  WorkspaceBody,
} from "../../pure/events/index.ts";
import { wallFactsOf } from "../../pure/isolation/index.ts";
import { decision } from "../../pure/views/index.ts";
import { capturedArgv, capturedText, sha256 } from "./captured.ts";
import type { CommandWatch, TracedRun } from "./command-watch.ts";
import type { Evaluate } from "./evaluate.ts";
import { fileEvidence } from "./file-evidence.ts";
import { declaredWrites } from "./look-up.ts";
import { LEDGER_FILE, modelLedger } from "./model-ledger.ts";
import type { ObserveOptions } from "./observe-options.ts";
import { checkPlace, DECISIONS, emptyPrivate, ignoredIn, type OutDirectory, POLICY_FILE, unlock } from "./out-directory.ts";
import { turnSnapshots } from "./turn-snapshots.ts";

/** Everything known before the run has a directory. */
export interface Observed {
  readonly plan: RunPlan;
  readonly options: ObserveOptions;
  readonly out: OutDirectory;
  readonly directory: string;
  readonly agentVersion: string | null;
  readonly find: FindSecrets;
  readonly watch: CommandWatch;
  readonly evaluate: Evaluate;
}

/**
 * The nine steps of specification 003, as facts of the recording. If a step fails, it reports that and the next one follows. Only without
 * a workspace does the agent not start.
 */
export function witnessOf({ plan, options, out, directory, agentVersion, find, watch, evaluate }: Observed): Witness {
  const { scenario, capture = "full", environmentName = "local", limits, ignore = [] } = options;
  const files = fileEvidence({
    workspace: out.workspace,
    directory,
    find,
    ...(limits && { limits }),
    ...(ignore.length > 0 && { ignore }),
  });
  const turns = options.snapshots === "turns" ? turnSnapshots((turn, callId) => files.turn(turn, callId)) : undefined;
  const writes = declaredWrites();
  const ledger = options.ledger === undefined ? undefined : modelLedger(options.ledger);
  const timeline = processRecord(plan.id);

  let described: FileRef | undefined;
  let used = (): Resources => ({ userMs: null, systemMs: null, maxRssBytes: null });

  function describe(): FileRef {
    const metadata = {
      run_id: plan.id,
      scenario: { id: scenario.id, ...(scenario.objective && { objective: capturedText(scenario.objective, capture) }) },
      request: capturedText(scenario.request, capture),
      constraints: scenario.constraints,
      checks: options.checks ?? [],
      policy: options.policy === undefined ? null : `sha256:${sealOfFile(options.policy)?.sha256 ?? "unknown"}`,
      agent: {
        id: plan.agent.id,
        ...(plan.agent.product !== undefined && { product: plan.agent.product }),
        ...(plan.like !== undefined && { like: plan.like }),
        version: agentVersion ?? "unknown",
        binary: basename(plan.binary),
        ...(plan.isForeign && { foreign: true }),
      },
      model: plan.model ?? "unknown",
      environment: environmentName,
      capture_mode: capture,
      workspace: options.workspace === undefined ? "empty" : "copied",
      ...(options.workspace !== undefined && capture === "full" && { copied_from: options.workspace }),
      wrapped_binaries: options.wrap ?? [],
      trace: options.trace ?? false,
      ...(options.ledger !== undefined && { ledger: true }),
      ...(capture === "full" && { course: true }),
      recorder: { harness: version, translation, node: process.version, platform: `${process.platform}-${process.arch}` },
    };
    writeAtomically(out.metadata, own`${json(hideSecretsIn(metadata, find), 2)}\n`); // word by word, as in the events
    described = fileRef("metadata.json", out.metadata);
    return described;
  }

  async function workspace(): Promise<WorkspaceBody> {
    const base = { type: "workspace-prepared", root: out.workspace, source: options.workspace === undefined ? "empty" : "copied" } as const;
    const problems: string[] = [];
    if (options.workspace !== undefined) {
      const skip = [...ignore, ...ignoredIn(options.workspace, out.path)];
      const { notMade } = await copiedWorkspace(options.workspace, skip);
      if (notMade === undefined)
        return { ...base, copiedFrom: options.workspace, entries: null, bytes: null, problem: "canceled during the copy" };
      const [first] = notMade;
      if (first !== undefined)
        problems.push(
          `${counted(notMade.length, "entry was", "entries were")} not copied exactly, the first ${first.path}: ${first.reason}`,
        );
    }
    const from = options.workspace === undefined ? {} : { copiedFrom: options.workspace };
    try {
      const { file, manifest } = await files.before();
      const known = { manifest: file, entries: manifest.end.entries, bytes: manifest.end.bytes };
      return { ...base, ...from, ...known, ...(problems.length > 0 && { problem: problems.join("; ") }) };
    } catch (error) {
      problems.push(`it could not be scanned: ${errorWords(error)}`);
      return { ...base, ...from, entries: null, bytes: null, problem: problems.join("; ") };
    }
  }

  /** Empty if the copy was canceled: then nothing starts in the incomplete workspace. */
  async function copiedWorkspace(from: string, skip: readonly string[]): Promise<{ notMade?: Rebuilt["notMade"] }> {
    const { signal } = options;
    try {
      return await copyTree(from, out.workspace, { ignore: skip, ...(signal && { signal }) });
    } catch (error) {
      if (signal?.aborted) return {};
      throw error;
    }
  }

  async function outputs(record: RecordFact): Promise<void> {
    const { id, product } = plan.agent;
    let problem: string | undefined;
    try {
      checkPlace(out);
      await emptyPrivate(out.artifacts); // all of the agent's processes are dead: we remove what they may have put there
    } catch (error) {
      problem = `${out.artifacts} could not be created: ${errorWords(error)}`;
    }
    for (const role of ["stdout", "stderr"] as const) {
      const path = `artifacts/agent_${role}.txt`;
      const also = product === undefined ? [] : [`artifacts/${id}_${role}.txt`];
      record({ type: "artifact", role, ...outputOf(OUTPUT_FILES[role], path, also, problem) });
    }
  }

  function outputOf(from: string, path: string, also: readonly string[], problem: string | undefined): Omit<ArtifactBody, "type" | "role"> {
    try {
      if (problem !== undefined) return { problem };
      copyPrivate(join(directory, from), join(out.path, path));
      for (const other of also) linkSync(join(out.path, path), join(out.path, other));
      return { file: fileRef(path, join(out.path, path)), ...(also.length > 0 && { also }) };
    } catch (error) {
      return { problem: `It could not be copied: ${errorWords(error)}` };
    }
  }

  async function commands(record: RecordFact): Promise<void> {
    let summary: CommandsObservedBody = UNSEEN_COMMANDS;
    try {
      const seen = await watch.collect(tracedRun());
      for (const command of seen.commands) record(command);
      summary = seen.summary;
    } catch (error) {
      summary = { ...UNSEEN_COMMANDS, problem: errorWords(error) };
    }
    const { log: _, effects, ...rest } = summary;
    const log = masked("artifacts/command_logs.jsonl");
    const seen = masked("artifacts/trace_effects.jsonl");
    record({ ...rest, ...(log && { log }), ...(effects && { effects: { ...effects, ...(seen && { log: seen }) } }) });
  }

  function masked(name: string): FileRef | undefined {
    const path = join(directory, name);
    return existsSync(path) ? { path: name, ...maskFile(path, find).seal } : undefined;
  }

  /** Undefined if the workspace cannot be distinguished from its surroundings. */
  function tracedRun(): TracedRun | undefined {
    try {
      const links = files.links();
      const { stdout, stderr } = runPaths(realpathSync(directory));
      const home = options.env?.["HOME"] ?? (options.environment ?? process.env)["HOME"];
      const programs = [...new Set([plan.binary, realpathSync(plan.binary)])];
      const about = { programs, names: plan.agent.binaries, given: [stdout, stderr], ...(home !== undefined && { home }) };
      return links && { workspace: join(realpathSync(out.path), basename(out.workspace)), links, shared: files.shared(), ...about };
    } catch {
      return undefined; // one of them was removed
    }
  }

  function charged(watched: ReturnType<typeof modelLedger>): ModelLedgerBody {
    const { body, charges } = watched.read();
    writeAtomically(
      join(directory, LEDGER_FILE),
      maskText(jsonLines(body.problem === undefined ? charges : [{ problem: body.problem }]), find),
    );
    return body;
  }

  /** What the checks judge by, and no other file shows. */
  function keepGrounds(): void {
    if (capture === "full") writeCourse(directory, join(directory, COURSE_FILE));
    const { policy } = options;
    if (policy === undefined || isModule(policy)) return;
    const kept = join(directory, POLICY_FILE);
    copyPrivate(policy, kept);
    if (maskFile(kept, find).masked > 0) rmSync(kept); // its hash would not be that of the policy
  }

  async function checks(record: RecordFact): Promise<void> {
    let verdicts: readonly CheckBody[] = [];
    let problem: string | undefined;
    try {
      keepGrounds();
      const events = eventsOfRun(readManifest(runPaths(directory).manifest), directory, plan.agent);
      const { checks: names, policy } = options;
      verdicts = await evaluate({
        events,
        directory,
        constraints: scenario.constraints,
        ...(names && { checks: names }),
        ...(policy !== undefined && { policy }),
      });
    } catch (error) {
      problem = `the checks could not be evaluated: ${errorWords(error)}`;
    }
    for (const verdict of verdicts) record(verdict);
    record({ type: "evaluation", ...(problem !== undefined && { problem }) });
  }

  /** Copies the run's artifacts to the places that the specification names, and discards the agent's changes to the description. */
  async function publish(record: RecordFact): Promise<void> {
    try {
      checkPlace(out);
      if (!holds(out.metadata, described?.sha256)) {
        await removeTree(out.metadata);
        describe();
      }
      publishArtifacts(directory, out.path);
    } catch (error) {
      record({ type: "warning", code: "artifacts", message: `Not all files could be copied to ${out.artifacts}: ${errorWords(error)}` });
    }
  }

  async function conclude(record: RecordFact): Promise<void> {
    try {
      await turns?.settled();
      unlock(out.place);
      await outputs(record);
      record(await files.after(writes.paths(), writes.named()));
      await commands(record);
      if (ledger !== undefined) record(charged(ledger));
      await checks(record);
      timeline.write(join(directory, PROCESS_FILE));
      await publish(record);
    } finally {
      files.close();
      await removeTree(out.commands);
    }
  }

  return {
    out: out.path,
    views: [outsideView(decision, DECISIONS)],
    async prepare(record) {
      const request = capturedText(scenario.request, capture);
      const mode = plan.agent.inside === true ? "white_box" : "black_box";
      const about = { scenario: scenario.id, environment: environmentName, capture, constraints: scenario.constraints, agentVersion };
      record({ type: "observation", mode, ...about, request, metadata: describe() });
      try {
        record(await workspace());
      } catch (error) {
        const reason = errorWords(error);
        const source = options.workspace === undefined ? "empty" : "copied";
        record({ type: "workspace-prepared", root: out.workspace, source, entries: null, bytes: null, problem: reason });
        throw error instanceof HarnessError ? error : new HarnessError("start", `The workspace could not be prepared: ${reason}`);
      }
      const argv = [plan.binary, ...plan.args];
      const shown = { argv: capturedArgv(argv, capture), argvSha256: sha256(JSON.stringify(argv)) };
      const walls = plan.isolation?.evidence();
      const isolation = walls === undefined ? {} : { isolation: wallFactsOf(walls) };
      record({ type: "process-started", cwd: out.workspace, ...shown, verbose: plan.args.includes("--verbose"), ...isolation });
    },
    started(agent) {
      used = agent.measure?.() ?? used;
    },
    see(events, record) {
      writes.see(events);
      timeline.see(events);
      turns?.see(events, record);
    },
    end: { resources: () => used(), conclude },
  };
}

const UNSEEN_COMMANDS: CommandsObservedBody = {
  type: "commands-observed",
  available: false,
  reason: "unknown",
  sources: [],
  wrapped: [],
  observed: null,
  categories: [],
};

function fileRef(path: string, at: string): FileRef {
  const seal = sealOfFile(at);
  if (seal === undefined) throw new HarnessError("output", `${at} is missing.`);
  return { path, ...seal };
}
