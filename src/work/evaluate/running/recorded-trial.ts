import { readFileSync } from "node:fs";
import {
  agentOfRun,
  type DataDirectory,
  deriveRun,
  findOwnRun,
  type RunManifest,
  readManifest,
  runPaths,
  sessionPaths,
  verifyRun,
} from "../../../host/recording/index.ts";
import { errorWords } from "../../../pure/base/index.ts";
import { sumUsed } from "../../../pure/events/index.ts";
import type { View } from "../../../pure/pipeline/index.ts";
import { type Capture, result } from "../../../pure/views/index.ts";
import { turnsOf } from "../cases/index.ts";
import type { RunFacts } from "../trial/index.ts";
import { computedCostOf } from "./computed-cost.ts";
import { type CourseRecord, courseView, mergeCourses } from "./course.ts";
import { mergeTurns } from "./merge-turns.ts";

/** A trial as its line describes it. */
export interface TrialClaim {
  readonly id: string;
  /** The agent's name in the results. */
  readonly agent: string | undefined;
  readonly input: string | readonly string[];
  /** Whether the input is that of the data set. In a line, secrets are masked. */
  readonly isFromCase: boolean;
  readonly trialNum: number | undefined;
  readonly runs: readonly string[];
  /** Undefined in a line of an earlier version. */
  readonly evaluation: string | undefined;
  readonly configuration: string | undefined;
}

/** What the recordings of a trial show. */
export interface RecordedTrial {
  readonly record: Capture;
  readonly facts: Pick<
    RunFacts,
    "status" | "reason" | "usage" | "cost" | "partialUsage" | "partialCost" | "computedCost" | "answeredBy" | "behavior" | "durations"
  >;
}

/** Why the recordings show nothing: there are none here, or they are not what they were, or they are those of a different trial. */
export interface Unproven {
  readonly why: "gone" | "changed" | "foreign";
  readonly problem: string;
}

/** Reads a trial from its sealed recordings alone. Every file of them is checked first. */
export async function recordedTrial(data: DataDirectory, claim: TrialClaim): Promise<RecordedTrial | Unproven> {
  if (claim.runs.length === 0) return { why: "gone", problem: "it names no recorded run" };
  const records: CourseRecord[] = [];
  const manifests: RunManifest[] = [];
  for (const [turn, run] of claim.runs.entries()) {
    const found = await provenRun(data, run, courseView);
    if ("why" in found) return found;
    const other = otherThan(claim, found, turn);
    if (other !== undefined) return { why: "foreign", problem: `The run ${run} ${other}` };
    manifests.push(found.manifest);
    if (found.record !== undefined) records.push(found.record);
  }
  const { status = null, reason = null } = manifests.at(-1)?.sealed ?? {};
  const record = mergeTurns(records, claim.id);
  const isWhole = status !== "completed" || claim.runs.length === turnsOf({ input: claim.input }).length;
  if (record === undefined || !isWhole) return { why: "changed", problem: "The runs of the trial are not all there" };
  const { usage, costUsd, partialUsage, partialCost } = sumUsed(manifests.flatMap(({ sealed }) => sealed ?? []));
  const parts = { ...(partialUsage && { partialUsage }), ...(partialCost && { partialCost }) };
  const course = mergeCourses(records.map(({ course: each }) => each));
  const computedCost = await computedCostOf(
    { usage, cost: costUsd },
    course?.answeredBy ?? manifests.at(-1)?.model ?? null,
    record.timing.start,
  );
  return { record, facts: { status, reason, usage, cost: costUsd, ...parts, ...(computedCost && { computedCost }), ...course } };
}

/** Why a run is not the one of this trial and turn; undefined if it is. */
function otherThan(
  { id, agent, trialNum, evaluation, configuration, input, isFromCase }: TrialClaim,
  { manifest, prompt }: { readonly manifest: RunManifest; readonly prompt: string },
  turn: number,
): string | undefined {
  const { evaluated } = manifest;
  const isAbout =
    evaluated?.id === id &&
    (trialNum === undefined || evaluated.trial === undefined || evaluated.trial === trialNum) &&
    (evaluated.agent === undefined || evaluated.agent === agent);
  if (!isAbout) return "is not one of this trial";
  if (evaluated.evaluation !== evaluation) return "belongs to a different evaluation";
  if (evaluated.configuration !== undefined && evaluated.configuration !== configuration) return "had different settings";
  const isComparable = isFromCase && manifest.prompt.masked === undefined;
  return isComparable && prompt !== turnsOf({ input })[turn] ? "was asked something else" : undefined;
}

/** A judge's question and answer from its recorded run; undefined if the run does not prove them. */
export async function recordedAnswer(data: DataDirectory, run: string): Promise<{ prompt: string; text: string } | undefined> {
  const found = await provenRun(data, run, () => result);
  if ("why" in found || !found.manifest.tags.includes("judge") || found.manifest.sealed?.status !== "completed") return undefined;
  const { output } = found.record ?? {};
  return typeof output !== "string" ? undefined : { prompt: found.prompt, text: output };
}

async function provenRun<Out extends object>(
  data: DataDirectory,
  run: string,
  viewFor: (isPlain: boolean) => View<Out>,
): Promise<{ manifest: RunManifest; record: Out | undefined; prompt: string } | Unproven> {
  const directory = directoryOf(data, run);
  if (directory === undefined) return { why: "gone", problem: `The run ${run} is not there` };
  try {
    const paths = runPaths(directory);
    const manifest = readManifest(paths.manifest);
    const agent = await agentOfRun(manifest);
    const [flaw] = manifest.id === run ? await verifyRun(manifest, paths, sessionPaths(data.sessions, run).stream, agent) : [OTHER];
    if (flaw !== undefined) return { why: "changed", problem: `The run ${run} was changed after it was recorded: ${sentence(flaw)}` };
    let record: Out | undefined;
    for await (const batch of deriveRun(manifest, directory, agent, viewFor(agent.plain === true && manifest.like === undefined)))
      record = batch.at(-1) ?? record;
    return { manifest, record, prompt: readFileSync(paths.prompt, "utf8") };
  } catch (error) {
    return { why: "changed", problem: `The run ${run} cannot be read: ${errorWords(error).replace(/\.$/, "")}` };
  }
}

function sentence({ file, problem }: { readonly file: string; readonly problem: string }): string {
  return problem.startsWith("it ") ? `${file} ${problem.slice("it ".length)}` : `${file}: ${problem}`;
}

const OTHER = { file: "run.json", problem: "it is a different run" };

function directoryOf(data: DataDirectory, run: string): string | undefined {
  try {
    return findOwnRun(data, run);
  } catch {
    return undefined; // removed since, or recorded on a different machine
  }
}
