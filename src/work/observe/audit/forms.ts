import { COURSE_FILE, type CourseStep, PROCESS_FILE } from "../../../host/recording/index.ts";
import {
  anyObject,
  arrayOf,
  count,
  either,
  exactly,
  fits,
  flag,
  HarnessError,
  isObject,
  isoTime,
  list,
  matching,
  nullable,
  object,
  oneOf,
  optional,
  parseObject,
  type Shape,
  spelled,
  text,
  yes,
} from "../../../pure/base/index.ts";
import { captureMode, environment, fact } from "../../../pure/events/index.ts";
import { wallFacts } from "../../../pure/isolation/index.ts";
import { decisionTypes } from "../../../pure/views/index.ts";
import { commandsIn } from "../evaluation/index.ts";
import { POLICY_FILE } from "../out-directory.ts";
import { courseIn } from "./course.ts";
import { block, type Evidence, readsSame } from "./evidence.ts";
import { ownAgentNamed } from "./shown-facts.ts";

const agent = { id: text, version: text, binary: matching(/^./s) };
const recorder = {
  harness: matching(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/),
  node: matching(/^v\d+\.\d+\.\d+\S*$/),
  platform: matching(/^[a-z\d]+-[a-z\d]+$/),
};

const earlier = {
  run_id: text,
  scenario: object({ id: text, objective: optional(text) }),
  agent: object(agent),
  model: text,
  environment,
  capture_mode: captureMode,
  workspace: oneOf("empty", "copied"),
  wrapped_binaries: list(text),
  recorder: object(recorder),
};

/** `metadata.json`, as earlier versions wrote it and as this one does. */
const metadata = either(
  exactly(object(earlier)),
  exactly(
    object({
      ...earlier,
      request: text,
      constraints: list(object({ id: text, type: text, rule: text, options: optional(anyObject) })),
      checks: list(text),
      policy: nullable(text),
      agent: object({ ...agent, product: optional(text), like: optional(text), foreign: yes }),
      copied_from: optional(text),
      trace: flag,
      ledger: yes,
      course: yes,
      recorder: object({ ...recorder, translation: count }),
    }),
  ),
);

const stages = decisionTypes.filter((stage) => stage !== "run_finished");
const process = exactly(
  object({
    run_id: text,
    late: yes,
    times: object(Object.fromEntries(stages.map((stage) => [stage, isoTime]))),
    started: either(
      object({ argv: list(text), argvSha256: text, verbose: nullable(flag), isolation: optional(wallFacts), root: text, cwd: text }),
      object({ root: optional(text) }), // it could not be started
    ),
    ended: anyObject, // becomes a fact, which is checked as such
  }),
);

/** Throws if a file of the evidence does not have the form in which we write it. */
export function checkForms(evidence: Evidence, hasCommands: boolean): void {
  check("metadata.json", metadata, evidence.metadata);
  if (evidence.file(PROCESS_FILE) !== undefined) check(PROCESS_FILE, process, evidence.process);
  else if ("request" in evidence.metadata)
    // an earlier version wrote neither
    throw new HarnessError("input", `${PROCESS_FILE} is missing, so nothing shows how the process started and ended`);
  if ("argv" in block(evidence.process, "started") && Object.keys(block(evidence.process, "ended")).length === 0)
    throw new HarnessError("input", `${PROCESS_FILE} shows a start without an end`);
  const { run_id: id } = evidence.process;
  if (id !== undefined && id !== evidence.metadata["run_id"]) throw new HarnessError("input", `${PROCESS_FILE} is of a different run`);
  checkNames(evidence);
  const { wrapped_binaries: wrapped } = evidence.metadata;
  if (Array.isArray(wrapped) && new Set(wrapped).size < wrapped.length)
    throw new HarnessError("input", "metadata.json names a wrapper twice");
  checkCourse(evidence);
  checkPolicy(evidence);
  const log = evidence.text("artifacts/command_logs.jsonl");
  if (log === undefined || !hasCommands) return;
  const commands = commandsIn(log);
  if (commands === undefined || !commands.every((each) => fits(fact, each, { strict: true })))
    throw new HarnessError("input", "artifacts/command_logs.jsonl is not a log of commands");
}

/** A complete observation has its course, which accounts for every byte of the output. */
function checkCourse(evidence: Evidence): void {
  const { metadata: about, process: how, file } = evidence;
  const isThere = file(COURSE_FILE) !== undefined;
  if (isThere !== (about["course"] === true) && !(how["late"] === true && !isThere))
    throw new HarnessError("input", `metadata.json and ${COURSE_FILE} disagree on whether there is a course`);
  if (!isThere) return;
  const steps = courseIn(evidence);
  if (steps === undefined) throw new HarnessError("input", `${COURSE_FILE} is not the course of a run`);
  if (steps === "unknown") return;
  if (steps.filter((step) => "scanned" in step).length !== 1)
    throw new HarnessError("input", `${COURSE_FILE} does not have one scan of the workspace`);
  checkTouched(evidence, steps);
  for (const stream of ["stdout", "stderr"] as const) {
    let end = 0;
    for (const step of steps) {
      if (!("stream" in step) || step.stream !== stream) continue;
      if (step.to <= end) throw new HarnessError("input", `${COURSE_FILE} shows ${stream} going back`);
      end = step.to;
    }
    const output = file(`artifacts/agent_${stream}.txt`);
    if (output !== undefined && output.bytes !== end) throw new HarnessError("input", `${COURSE_FILE} does not fit agent_${stream}.txt`);
  }
}

/** What changed last is listed latest first, once each, and is in the manifest of the same scan. */
function checkTouched({ file, text: textIn }: Evidence, steps: readonly CourseStep[]): void {
  const all = steps.flatMap((step) => ("scanned" in step ? (arrayOf(step.scanned.touched) ?? []) : []));
  const touched = all.filter(isObject).map(({ path, at }) => ({ path: spelled(path), at: Number(at) }));
  const manifest = file(AFTER) === undefined ? undefined : (textIn(AFTER) ?? "");
  const paths = new Set<unknown>((manifest ?? "").split("\n").map((line) => parseObject(line)?.["path"]));
  const isThere = (path: string) => path === "./" || manifest === undefined || MASKED.test(manifest) || paths.has(path.replace(/\/$/, ""));
  const isOrdered = touched.every(({ at }, index) => index === 0 || at <= (touched[index - 1]?.at ?? at));
  if (!isOrdered || new Set(touched.map(({ path }) => path)).size < touched.length || !touched.every(({ path }) => isThere(path)))
    throw new HarnessError("input", `${COURSE_FILE} shows other changes than ${AFTER}`);
}

const AFTER = "artifacts/manifest_after.jsonl";
const MASKED = /\*{4}/;

function checkPolicy({ metadata: about, file }: Evidence): void {
  const policy = file(POLICY_FILE);
  if (policy !== undefined && about["policy"] !== `sha256:${policy.sha256}`)
    throw new HarnessError("input", `${POLICY_FILE} is not the policy that metadata.json names`);
}

/** Names that are known without the files: the product of our agents, and what stands for a path that is not shown. */
function checkNames({ metadata: about, process: { started } }: Evidence): void {
  const { id, product } = block(about, "agent");
  const own = ownAgentNamed(id);
  if (own !== undefined && readsSame(about) && product !== own.product)
    throw new HarnessError("input", "metadata.json names a different product than the agent's");
  const places = isObject(started) && about["capture_mode"] !== "full" ? [started["root"], started["cwd"]] : [];
  if (places.some((place) => place !== undefined && place !== "workspace"))
    throw new HarnessError("input", `${PROCESS_FILE} shows a path, which this capture mode does not`);
}

function check(name: string, shape: Shape<unknown>, value: unknown): void {
  if (!fits(shape, value)) throw new HarnessError("input", `${name} does not have the form in which harness writes it`);
}
