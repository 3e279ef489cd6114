import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Event, EventBody } from "../../../src/pure/events/event.ts";
import type { CommandObservedBody } from "../../../src/pure/events/index.ts";
import { categoryOf } from "../../../src/pure/shell/category.ts";
import { evaluateRun } from "../../../src/work/observe/evaluation/evaluate-run.ts";
import { folder } from "./support.ts";

/** Checks on commands when the events contain only the first two, and the log all of them. */
async function statuses(lines: readonly (readonly [line: string, exitCode: number])[], log = (text: string) => text) {
  const directory = folder();
  const commands = lines.map(([line, exitCode], index): CommandObservedBody => {
    const argv = line.split(" ");
    const when = { cwd: null, startedAt: index, durationMs: 1, exitCode, signal: null, pid: 10 + index, ppid: 1 };
    return { type: "command-observed", source: "trace", argv, category: categoryOf(argv), ...when };
  });
  mkdirSync(join(directory, "artifacts"));
  const text = commands.map(({ type: _, ...rest }) => `${JSON.stringify(rest)}\n`).join("");
  writeFileSync(join(directory, "artifacts/command_logs.jsonl"), log(text));
  const file = { path: "artifacts/command_logs.jsonl", bytes: text.length, sha256: "0".repeat(64) };
  const sum = { available: true, sources: ["trace" as const], wrapped: [], observed: commands.length, categories: [], log: file };
  const bodies: readonly EventBody[] = [...commands.slice(0, 2), { type: "commands-observed", ...sum }];
  const events = bodies.map((body, seq): Event => ({ seq: seq + 1, at: seq, from: [], provenance: "observed", body }));
  const checks = ["quality.tests_required", "scope.no_network"];
  const verdicts = await evaluateRun({
    events: (async function* () {
      yield events;
    })(),
    directory,
    constraints: [],
    checks,
  });
  return verdicts.flatMap(({ id, status }) => (checks.includes(id) ? [status] : []));
}

test("commands without events are judged by their log", async () => {
  const others: readonly [string, number][] = [
    ["ls", 0],
    ["npm test", 1],
    ["git status", 0],
  ];
  expect(await statuses([...others, ["npm test", 0]])).toEqual(["unknown", "unknown"]); // no reporter, no connections
  expect(await statuses([...others, ["npm test", 1], ["curl http://example.org", 0]])).toEqual(["fail", "fail"]);
});

test("without that log, or with a damaged one, the result is unknown", async () => {
  const lines: readonly [string, number][] = [
    ["ls", 0],
    ["npm test", 0],
    ["npm test", 0],
  ];
  expect(await statuses(lines, () => "")).toEqual(["unknown", "unknown"]);
  expect(await statuses(lines, (text) => text.replace('"trace"', '"nobody"'))).toEqual(["unknown", "unknown"]);
});
