// Lists the differences between what had to happen and what did. Compares sets, never positions: parallel calls may end in any order.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunStatus } from "../../pure/events/index.ts";
import type { Activity, StreamRecord } from "../../pure/views/index.ts";
import { compareOperations } from "./compare-operations.ts";
import { compareUsage } from "./compare-usage.ts";
import type { Any, CorpusScenario, Expected } from "./corpus-scenario.ts";
import type { Judgement, SeenRequest, SeenRun } from "./judgement.ts";
import type { Pin } from "./pin.ts";
import { same, shown } from "./shown.ts";

export function judge(scenario: Pick<CorpusScenario, "scripts" | "watch">, pin: Pin, expected: Expected, seen: SeenRun): Judgement {
  const ledger = pin.asksAfterwards === true ? withLate(scenario, seen.ledger) : seen.ledger;
  const run = { ...seen, ledger };
  const { activity, result, workspace } = run;
  const operations = expected.operations === "any" ? null : compareOperations(expected.operations, activity, pin, workspace);
  const usage = compareUsage(pin, expected, run);
  const problems = [
    ...same("status", expected.status, result.status),
    ...same("exit code of harness run", exitCodeOf(expected.status, expected.signal), run.exitCode),
    ...(operations?.problems ?? []),
    ...unlessAny(expected.calls, (wanted) => calls(wanted, run.stream)),
    ...unlessAny(expected.messages, (wanted) => sets("message", wanted, messagesOf(run))),
    ...unlessAny(expected.warnings, (wanted) => diagnostics("warning", wanted, activity, pin.noise)),
    ...unlessAny(expected.errors, (wanted) => diagnostics("error", wanted, activity)),
    ...sets("subagent", subagentStates(expected.subagents), orchestrationOf(activity)),
    ...unlessAny(expected.unknown, (wanted) => same("unknown events", wanted, activity.filter(({ type }) => type === "unknown").length)),
    ...served(scenario, expected, ledger),
    ...usage.problems,
    ...files(expected.files, workspace),
    ...derivation(run),
  ];
  return {
    problems,
    operations: operations && { right: operations.right, wrong: operations.wrong, missing: operations.missing },
    usage: usage.usage,
    coverage: usage.coverage,
    status: { expected: expected.status, found: result.status },
  };
}

function unlessAny<Wanted>(expected: Wanted | Any, compare: (wanted: Wanted) => readonly string[]): readonly string[] {
  return expected === "any" ? [] : compare(expected as Wanted);
}

function exitCodeOf(status: RunStatus, signal: NodeJS.Signals | undefined): number {
  if (status === "canceled") return signal === "SIGINT" ? 130 : 143;
  if (status === "completed") return 0;
  return status === "timed_out" || status === "hung" ? 124 : 1;
}

// activity ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The main thread's messages. Something else may come between the parts of one, at any time: a title, a line on stderr. */
function messagesOf({ activity, continues }: SeenRun): readonly string[] {
  const parts = activity.flatMap((event) => (event.type === "agent" && event.subagentId === undefined ? [event.message] : []));
  const messages: string[] = [];
  for (const [index, part] of parts.entries()) messages.push(continues[index] === true ? `${messages.pop() ?? ""}${part}` : part);
  return messages;
}

function orchestrationOf(activity: readonly Activity[]): readonly string[] {
  return activity.flatMap((event) => (event.type === "orchestration" ? [event.action.replace("subagent_", "")] : []));
}

function calls(expected: Readonly<Record<string, number>>, stream: readonly StreamRecord[]): readonly string[] {
  const ends = stream.flatMap((record) =>
    record.type !== "ToolEnd" || record.subagent_id !== undefined
      ? []
      : [record.success === null ? "untold" : record.success ? "succeeded" : "failed"],
  );
  return ["succeeded", "failed", "untold"].flatMap((word) =>
    same(
      word === "untold" ? "calls with an unknown end" : `calls that ${word}`,
      expected[word] ?? 0,
      ends.filter((each) => each === word).length,
    ),
  );
}

function sets(what: string, expected: readonly string[], found: readonly string[]): readonly string[] {
  const left = [...found];
  const missing = expected.filter((each) => {
    const index = left.indexOf(each);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return [...missing.map((each) => `missing ${what}: ${shown(each)}`), ...left.map((each) => `unexpected ${what}: ${shown(each)}`)];
}

/** Each is expected by its code or, without one, by a part of its message. */
function diagnostics(
  what: "warning" | "error",
  expected: readonly string[],
  activity: readonly Activity[],
  noise: readonly string[] = [],
): readonly string[] {
  const found = activity.flatMap((event) => {
    if (event.type !== what || (event.code !== undefined && noise.includes(event.code))) return [];
    return [event.code ?? expected.find((word) => event.message.includes(word)) ?? event.message];
  });
  return sets(what, expected, found);
}

/** `{ started: 1, completed: 1 }` */
function subagentStates(counts: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(counts).flatMap(([word, count]) => Array.from({ length: count }, () => word));
}

/** Marks the main thread's requests beyond the script. */
function withLate({ scripts: [main] }: Pick<CorpusScenario, "scripts">, ledger: SeenRun["ledger"]): SeenRun["ledger"] {
  const isLate = ({ kind, turn }: SeenRequest) => kind === "main" && main !== undefined && turn !== null && turn >= main.turns;
  return ledger.map((entry) => (isLate(entry) ? { ...entry, isLate: true } : entry));
}

// the rest ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The agent requested every turn and no others, and every watched text reached the model. */
function served(
  { scripts, watch }: Pick<CorpusScenario, "scripts" | "watch">,
  expected: Expected,
  ledger: SeenRun["ledger"],
): readonly string[] {
  const problems = ledger.filter(({ kind }) => kind === "unknown").map(({ marker }) => `a request for the unknown script ${shown(marker)}`);
  for (const [index, { marker, turns }] of scripts.entries()) {
    const own = ledger.filter((entry) => entry.marker === marker && entry.turn !== null && entry.isLate !== true);
    const asked = new Set(own.map(({ turn }) => turn));
    if (index === 0 && expected.turns === "any") continue;
    problems.push(...same(`turns of [[${marker}]] that were asked for`, (index === 0 ? expected.turns : undefined) ?? turns, asked.size));
  }
  const seen = new Set(ledger.flatMap((entry) => entry.seen));
  return [...problems, ...watch.filter((text) => !seen.has(text)).map((text) => `never reached the model: ${shown(text)}`)];
}

/** The files that the workspace must contain afterwards; null for a file that must not exist. */
function files(expected: Expected["files"], workspace: string): readonly string[] {
  return Object.entries(expected).flatMap(([name, content]) => {
    const path = join(workspace, name);
    return same(`content of ${name}`, content, existsSync(path) ? readFileSync(path, "utf8") : null);
  });
}

/** The live output equals what the recording gives, line by line. */
function derivation({ live, derived }: SeenRun): readonly string[] {
  return Object.keys(live).flatMap((name) => {
    const [then, now] = [live[name]?.split("\n") ?? [], derived[name]?.split("\n") ?? []];
    const index = Array.from({ length: Math.max(then.length, now.length) }).findIndex((_, i) => then[i] !== now[i]);
    return index < 0 ? [] : [`line ${index + 1}, ${name}: ${shown(then[index])}\n    derived from the recording: ${shown(now[index])}`];
  });
}
