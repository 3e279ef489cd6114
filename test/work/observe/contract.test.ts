import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/pure/base/json.ts";
import type { CheckBody } from "../../../src/pure/events/index.ts";
import type { DecisionEvent } from "../../../src/pure/views/decision/schema.ts";
import { firstBreach, musts } from "../../../src/work/observe/verify/contract.ts";
import { agent, LONG_MS } from "../../support/place.ts";
import { cleanUpFolders, noParts, observe } from "./support.ts";

afterAll(cleanUpFolders);

// biome-ignore lint/suspicious/noExplicitAny: a test that breaks values breaks their types first
type Broken = any;
type Break = (events: Broken[]) => void;

const artifact = (event: Broken, id: string): Broken => event.agent_action.artifacts.find((each: Broken) => each.id === id);
const check = (event: Broken, group: string, id: string): Broken => event.evaluation[group].checks.find((each: Broken) => each.id === id);
const commands = (events: Broken[]): Broken => events[6];

/** For every requirement, a change that breaks only this one. Those of the seventh event under its other name are separate. */
const breaks: Readonly<Record<string, Break>> = {
  schema_version: (e) => (e[3].schema_version = "0.1"),
  event_id: (e) => (e[4].event_id = e[3].event_id),
  order: (e) => e.reverse(),
  timestamp: (e) => (e[5].timestamp = "yesterday"),
  trace_id: (e) => (e[8].trace_id = "another"),
  span_id: (e) => (e[2].span_id = e[1].span_id),
  parent_span_id: (e) => (e[3].parent_span_id = e[0].span_id),
  observability_mode: (e) => (e[3].observability_mode = "grey_box"),
  session: (e) => delete e[1].session.agent_version,
  "session-constant": (e) => (e[7].session.run_id = "another"),
  request: (e) => delete e[1].request.user_request_raw,
  constraints: (e) => e[1].request.constraints.push({ id: "output.json_only" }),
  prompt_provenance: (e) => delete e[2].prompt_provenance.capture_mode,
  "prompt-bundle": (e) => (e[2].prompt_provenance.prompt_bundle = { system: "You are …" }),
  "black-box-output": (e) => (e[4].model_output.usage = { input: 1 }),
  "white-box": (e) => {
    for (const event of e) event.observability_mode = "white_box";
  },
  tool_results: (e) => e[4].agent_action.tool_results.push({ output: "x" }),
  "prompt-bundle-hash": (e) => {
    for (const event of e) event.observability_mode = "white_box";
    Object.assign(e[4].prompt_provenance, { prompt_bundle: { system: "You are …", tools: [] }, prompt_bundle_hash: "sha256:0" });
  },
  model_output: (e) => delete e[4].model_output.usage,
  tool_calls: (e) => e[4].model_output.tool_calls.push({ id: "1", name: "Bash", arguments: {} }),
  agent_action: (e) => delete e[8].agent_action.artifacts,
  intent: (e) => (e[3].agent_action.action_summary += " The agent wanted to fix the bug."),
  artifact: (e) => delete e[2].agent_action.artifacts[0].summary,
  content_ref: (e) => (artifact(e[5], "fs_diff.patch").content_ref = "../../etc/passwd"),
  evaluation: (e) => delete e[0].evaluation.policy.status,
  "run_started-type": (e) => (e[0].agent_action.action_type = "plan"),
  "run_started-summary": (e) => (e[0].agent_action.action_summary = "A run started."),
  metadata: (e) => (e[0].agent_action.artifacts = []),
  "workspace_prepared-type": (e) => (e[1].agent_action.action_type = "edit"),
  "workspace-root": (e) => delete e[1].agent_action.artifacts[0].metadata.root,
  "agent_invoked-type": (e) => (e[2].agent_action.action_type = "command"),
  "agent_invoked-summary": (e) => (e[2].agent_action.action_summary = "claude-code invoked."),
  "process-start": (e) => delete e[2].agent_action.artifacts[0].metadata.started_at,
  "agent_completed-type": (e) => (e[3].agent_action.action_type = "edit"),
  "agent_completed-summary": (e) => (e[3].agent_action.action_summary = "Agent process ended."),
  "process-end": (e) => (e[3].agent_action.artifacts = []),
  "no-output": (e) => (e[3].agent_action.artifacts[0].metadata.stdout = "All tests pass."),
  "artifacts_captured-type": (e) => (e[4].agent_action.action_type = "edit"),
  output_raw: (e) => (e[4].model_output.output_raw = "All tests pass."),
  outputs: (e) => (e[4].agent_action.artifacts = e[4].agent_action.artifacts.filter((each: Broken) => each.id !== "claude_stderr.txt")),
  non_normative: (e) => delete artifact(e[4], "claude_stdout.txt").metadata.non_normative,
  "fs_diff_captured-type": (e) => (e[5].agent_action.action_type = "other"),
  "fs_diff.patch": (e) => (e[5].agent_action.artifacts = []),
  changed_paths: (e) => delete artifact(e[5], "fs_diff.patch").metadata.changed_paths,
  diff_hash: (e) => delete artifact(e[5], "fs_diff.patch").metadata.diff_hash,
  "diff-method": (e) => (artifact(e[5], "fs_diff.patch").metadata.method = "by eye"),
  "commands-type": (e) => (commands(e).agent_action.action_type = "other"),
  command_logs: (e) => (commands(e).agent_action.artifacts = []),
  "wrapped-only": (e) => {
    commands(e).agent_action.action_summary = "Two commands.";
    delete commands(e).agent_action.artifacts[0].metadata.note;
  },
  "commands-metadata": (e) => delete commands(e).agent_action.artifacts[0].metadata.observed_count,
  checks: (e) => (e[7].evaluation.quality.checks = []),
  "check-status": (e) => (check(e[7], "policy", "scope.no_ci_changes").status = "fine"),
  "outcome-evidence": (e) => (check(e[7], "alignment", "output.json_only").evidence = []),
  "status-follows": (e) => (e[7].evaluation.policy.status = "pass"),
  violations: (e) => (e[7].evaluation.policy.violations = []),
  "run_finished-type": (e) => (e[8].agent_action.action_type = "edit"),
  "run_finished-summary": (e) => (e[8].agent_action.action_summary = "Run finished."),
};

const breaksUnavailable: Readonly<Record<string, Break>> = {
  "unavailable-type": (e) => (commands(e).agent_action.action_type = "command"),
  "unavailable-why": (e) => (commands(e).agent_action.action_summary = "No commands."),
  "unavailable-tests": (e) => {
    Object.assign(check(e[7], "quality", "quality.tests_required"), { status: "fail", evidence: [{ source: "commands" }] });
  },
};

const verdicts: readonly CheckBody[] = [
  {
    type: "check",
    id: "output.json_only",
    group: "alignment",
    status: "pass",
    message: "It is JSON.",
    evidence: [{ source: "stdout", sha256: "0".repeat(64) }],
  },
  {
    type: "check",
    id: "style.no_emojis",
    group: "policy",
    status: "fail",
    message: "There is one.",
    evidence: [{ source: "stdout", excerpt: "🙂" }],
  },
  { type: "check", id: "scope.no_ci_changes", group: "policy", status: "unknown", message: "It was not seen.", evidence: [] },
];

let good: readonly DecisionEvent[] = [];
let unavailable: readonly DecisionEvent[] = [];

beforeAll(async () => {
  const options = { agent: "claude", binary: agent("exits-at-once"), command: undefined };
  const evaluate = async () => verdicts;
  const watchCommands: typeof noParts.watchCommands = async ({ log }) => ({
    env: {},
    async collect() {
      const { writeFileSync } = await import("node:fs");
      writeFileSync(log, "{}\n", { mode: 0o600 });
      const summary = {
        type: "commands-observed",
        available: true,
        sources: ["wrapper"],
        wrapped: ["git"],
        observed: 1,
        categories: ["vcs"],
      } as const;
      return { commands: [], summary };
    },
  });
  good = (await observe(options, { watchCommands, evaluate })).events;
  unavailable = (await observe(options, { ...noParts, evaluate })).events;
}, LONG_MS);

const copyOf = (events: readonly DecisionEvent[]): Broken[] => JSON.parse(JSON.stringify(events));

describe("the contract of specification 003", () => {
  test("our observations meet it", () => {
    expect(firstBreach(copyOf(good))).toBeUndefined();
    expect(firstBreach(copyOf(unavailable))).toBeUndefined();
    expect(good[6]?.event_type).toBe("commands_observed");
    expect(unavailable[6]?.event_type).toBe("commands_observation_unavailable");
  });

  test("there is one breaking change for each requirement", () => {
    expect([...Object.keys(breaks), ...Object.keys(breaksUnavailable)].sort()).toEqual(musts.map(({ id }) => id).sort());
  });

  test.each(Object.entries(breaks))("%s", (id, breakIt) => {
    expectBroken(good, id, breakIt);
  });

  test.each(Object.entries(breaksUnavailable))("%s", (id, breakIt) => {
    expectBroken(unavailable, id, breakIt);
  });

  test.each([0, 3, 8])("the event of line %s + 1 is missing or repeated", (index) => {
    const missing = copyOf(good);
    missing.splice(index, 1);
    expect(firstBreach(missing)).toMatchObject({ id: "order", event: index });
    const twice = copyOf(good);
    twice.splice(index, 0, structuredClone(twice[index]));
    expect(firstBreach(twice)).toMatchObject({ id: "order" });
  });

  test("no events, and values that are not events", () => {
    expect(firstBreach([])).toMatchObject({ id: "order", event: 0 });
    expect(firstBreach([{}, { event_type: 7 }])).toMatchObject({ id: "order", event: 0 });
    const hollow = copyOf(good).map(({ event_type }) => ({ event_type }));
    expect(firstBreach(hollow)).toMatchObject({ event: 0 });
  });

  test("a timestamp earlier than the one before", () => {
    const events = copyOf(good);
    events[8].timestamp = "2001-01-01T00:00:00Z";
    expect(firstBreach(events)).toMatchObject({ id: "timestamp", event: 8 });
  });
});

function expectBroken(events: readonly DecisionEvent[], id: string, breakIt: Break): void {
  const broken = copyOf(events);
  breakIt(broken);
  const must = musts.find((each) => each.id === id);
  expect(must?.breach(broken as JsonObject[]), must?.must).toBeDefined();
  expect(firstBreach(broken)).toBeDefined();
}
