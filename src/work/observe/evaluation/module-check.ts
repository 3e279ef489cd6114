import { dirname } from "node:path";
import { moduleCall, moduleProgram, runProgram } from "../../../host/process/index.ts";
import { errorWords, isObject, parseJson } from "../../../pure/base/index.ts";
import { type RunEvidence, type Verdict, verdict } from "../../../pure/checks/index.ts";
import { checkStatus, type Evidence, evidence as shape } from "../../../pure/events/index.ts";
import type { ModuleEntry } from "./policy.ts";

const TIMEOUT_MS = 60_000;
const KEPT = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"];

/** Calls `check(evidence)` of a module in a separate process. If the module breaks, hangs or answers in a different form, the verdict is unknown. */
export async function moduleVerdict(entry: ModuleEntry, evidence: RunEvidence, signal?: AbortSignal): Promise<Verdict> {
  const { id, path, options } = entry;
  const env = Object.fromEntries(KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const { stdin, answer } = moduleCall({ id, options, ...evidence });
  try {
    const end = await runProgram({
      ...moduleProgram(path, "check"),
      cwd: dirname(path),
      env,
      stdin,
      timeoutMs: TIMEOUT_MS,
      signal,
      maxOutput: 8 * 1024 * 1024,
    });
    if (end.isTimedOut) return broken(`it did not end within ${TIMEOUT_MS} ms`);
    if (end.exitCode !== 0) return broken(`it ended with ${end.signal ?? `code ${end.exitCode}`}: ${complaintIn(end.stderr)}`);
    const answered = answer(end.stdout);
    return answered === undefined ? broken("it ended without an answer") : readVerdict(parseJson(answered));
  } catch (error) {
    return broken(errorWords(error));
  }
}

/** Node's error message, without the source code before it and the stack after it. */
function complaintIn(stderr: string): string {
  const lines = stderr.trim().split("\n");
  return (lines.findLast((line) => /^(?:\w*Error|Uncaught)\b/.test(line)) ?? lines.at(-1) ?? "").slice(0, 300);
}

function readVerdict(value: unknown): Verdict {
  if (!isObject(value)) return broken("its answer is not an object with status and message");
  const { status, message, evidence } = value;
  const known = checkStatus.values.find((each) => each === status);
  if (known === undefined) return broken(`its status is not one of ${checkStatus.values.join(", ")}`);
  if (typeof message !== "string" || message.trim() === "") return broken("its message is not a text");
  return verdict(known, message.slice(0, 1_000), Array.isArray(evidence) ? evidence.flatMap(evidenceOf) : []);
}

/** The evidence in our form; drops the rest. */
function evidenceOf(value: unknown): readonly Evidence[] {
  if (!isObject(value)) return [];
  const source = shape.fields.source.values.find((each) => each === value["source"]);
  if (source === undefined) return [];
  const { path, line, excerpt, events } = value;
  const numbers = Array.isArray(events) ? events.filter((seq): seq is number => Number.isSafeInteger(seq) && seq > 0) : [];
  return [
    {
      source,
      ...(typeof path === "string" && { path: path.slice(0, 1_000) }),
      ...(typeof line === "number" && Number.isSafeInteger(line) && line > 0 && { line }),
      ...(typeof excerpt === "string" && { excerpt }),
      ...(numbers.length > 0 && { events: numbers.slice(0, 100) }),
    },
  ];
}

function broken(why: string): Verdict {
  return verdict("unknown", `The check could not be made: ${why}.`, []);
}
