import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { observe } from "../../../src/observe.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import type { DecisionEvent } from "../../../src/pure/views/decision/schema.ts";
import { decision } from "../../../src/pure/views/decision/view.ts";
import { feed } from "../../support/fixtures.ts";
import { LONG_MS } from "../../support/place.ts";
import { cleanUpFolders, folder, script } from "../../work/observe/support.ts";

/** Specification 003, sentence by sentence, on one observed run; and the rows of docs/reference/departures.md. */

afterAll(cleanUpFolders);

const seen = { out: "", events: [] as DecisionEvent[] };
const event = (type: string) => {
  const found = seen.events.find(({ event_type }) => event_type === type);
  if (found === undefined) throw new Error(`There is no ${type}.`);
  return found;
};
const artifact = (type: string, id: string) => {
  const found = event(type).agent_action.artifacts.find((each) => each.id === id);
  if (found === undefined) throw new Error(`${type} has no ${id}.`);
  return found;
};

const CONSTRAINTS = ["output.json_only", "style.no_emojis", "scope.no_ci_changes", "quality.tests_required"];

beforeAll(async () => {
  const base = folder();
  const workspace = folder();
  writeFileSync(join(workspace, "a.txt"), "a\n");
  const command = script(base, 'git --version > /dev/null; echo b > b.txt; echo \'{"say":"🎉"}\'; echo complaint >&2');
  const scenario = {
    id: "my-scenario",
    request: "Go.",
    constraints: CONSTRAINTS.map((id) => ({ id, type: id.split(".")[0] ?? "", rule: id })),
  };
  const places = { dataDirectory: join(base, "data"), out: join(base, "out") };
  const observation = await observe({ agent: "generic", command, scenario, workspace, wrap: ["git"], ...places });
  for await (const each of observation) seen.events.push(each);
  seen.out = observation.out;
  await observation.done;
}, LONG_MS);

describe("the document", () => {
  test("every event has the fields of all events, in one tree, and the nine come in order", () => {
    const { events } = seen;
    expect(events.map(({ event_type }) => event_type)).toEqual([
      "run_started",
      "workspace_prepared",
      "agent_invoked",
      "agent_completed",
      "artifacts_captured",
      "fs_diff_captured",
      "commands_observed",
      "evaluation_performed",
      "run_finished",
    ]);
    const spans = new Set<string | null>([null]);
    for (const each of events) {
      expect(each.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(each.trace_id).toBe(events[0]?.trace_id);
      expect(spans.has(each.parent_span_id)).toBe(true);
      spans.add(each.span_id);
      expect(each).toMatchObject({
        schema_version: "0.2",
        event_id: expect.any(String),
        observability_mode: "black_box",
        session: {
          session_id: "my-scenario",
          run_id: expect.any(String),
          agent_id: "generic",
          agent_version: "unknown",
          environment: expect.any(String),
        },
        prompt_provenance: { prompt_bundle: null, prompt_bundle_hash: "unknown" },
        model_output: { tool_calls: [] },
        evaluation: {
          alignment: { status: expect.any(String) },
          quality: { status: expect.any(String) },
          policy: { status: expect.any(String) },
        },
      });
    }
    expect(spans.size).toBe(10);
  });

  test("each event says what the document requires", () => {
    const run = event("run_started");
    expect(run.agent_action.action_summary).toContain(run.session.run_id);
    expect(run.agent_action.action_summary).toContain("my-scenario");
    expect(artifact("run_started", "metadata.json").content_ref).toBe("metadata.json");
    expect(artifact("workspace_prepared", "workspace").metadata).toMatchObject({ root: expect.stringContaining("workspace") });
    expect(event("workspace_prepared").request).toMatchObject({ request_id: expect.any(String), user_request_raw: "Go." });
    expect(event("workspace_prepared").request.constraints.map(({ id }) => id)).toEqual(CONSTRAINTS);
    expect(event("agent_invoked").agent_action.action_summary).toMatch(/verbose (enabled|disabled).*cwd = workspace/);
    expect(artifact("agent_invoked", "agent_process_start").metadata).toMatchObject({
      cwd: expect.any(String),
      argv: expect.any(Array),
      started_at: expect.any(String),
    });
    expect(event("agent_completed").agent_action.action_summary).toMatch(/exit_code=0, duration_ms=\d+/);
    expect(event("artifacts_captured").model_output.output_raw).toBe("captured_as_artifact");
    for (const id of ["agent_stdout.txt", "agent_stderr.txt"])
      expect(artifact("artifacts_captured", id)).toMatchObject({
        hash: expect.stringMatching(/^sha256:/),
        content_ref: `artifacts/${id}`,
        metadata: { non_normative: true },
      });
    expect(event("fs_diff_captured").agent_action.action_type).toBe("edit");
    expect(artifact("fs_diff_captured", "fs_diff.patch").metadata).toMatchObject({
      changed_count: 1,
      diff_hash: expect.stringMatching(/^sha256:/),
      method: expect.stringMatching(/^(git_diff|diff_ru|other)$/),
    });
    expect(artifact("commands_observed", "command_logs.jsonl").metadata).toMatchObject({ observed_count: 1, categories_seen: ["vcs"] });
    expect(event("run_finished").agent_action.action_summary).toMatch(/alignment=\w+, quality=\w+, policy=\w+/);
  });

  test("a violation has an id, a severity, a message and evidence", () => {
    const { alignment, quality, policy } = event("evaluation_performed").evaluation;
    expect(policy.checks.map(({ id }) => id)).toEqual(expect.arrayContaining(["scope.no_ci_changes", "style.no_emojis"]));
    expect(quality.checks.map(({ id }) => id)).toContain("quality.tests_required");
    expect(alignment.checks.map(({ id }) => id)).toContain("output.json_only");
    expect(policy.violations).toMatchObject([
      { id: "style.no_emojis", severity: "fail", message: expect.any(String), evidence: [expect.any(Object)] },
    ]);
  });
});

describe("departures", () => {
  test("the request is part of every event", () => {
    for (const { request } of seen.events) expect(request).toEqual(event("workspace_prepared").request);
  });

  test("the output of any agent is agent_stdout.txt", () => {
    expect(readdirSync(join(seen.out, "artifacts"))).toEqual(expect.arrayContaining(["agent_stdout.txt", "agent_stderr.txt"]));
  });

  test("a changed path comes with the kind of its change", () => {
    expect(artifact("fs_diff_captured", "fs_diff.patch").metadata["changed_paths"]).toEqual([{ kind: "added", path: "b.txt" }]);
  });

  test("json_only and no_emojis judge the final answer, not all of stdout", () => {
    const { alignment, policy } = event("evaluation_performed").evaluation;
    expect(alignment.checks).toMatchObject([{ id: "output.json_only", status: "pass", message: "The final answer is JSON." }]);
    expect(policy.violations).toMatchObject([{ id: "style.no_emojis", message: expect.stringContaining("final answer") }]);
  });

  test("evidence is a list of places, each with an excerpt or a hash", () => {
    const { quality } = event("evaluation_performed").evaluation;
    for (const { evidence } of quality.checks)
      for (const each of evidence) expect(each).toMatchObject({ source: expect.any(String), excerpt: expect.any(String) });
    expect(quality.checks.flatMap(({ evidence }) => evidence).length).toBeGreaterThan(0);
  });

  test("the directory also has its seal and what the workspace held", () => {
    expect(readdirSync(seen.out)).toEqual(expect.arrayContaining(["metadata.json", "events.jsonl", "seal.json", "workspace"]));
    expect(readdirSync(join(seen.out, "artifacts"))).toEqual(expect.arrayContaining(["manifest_before.jsonl", "manifest_after.jsonl"]));
  });

  test("a run that was not observed has the nine, and says what was not seen", () => {
    const events = feed(agents.generic, decision, [Buffer.from("Done.\n")]);
    expect(events).toHaveLength(9);
    expect(events[4]?.agent_action.action_summary).toContain("not captured");
    expect(events[5]?.agent_action.action_summary).toContain("unavailable");
    expect(events[6]).toMatchObject({ event_type: "commands_observation_unavailable" });
  });

  test("commands that only a trace saw are observed", () => {
    const run = pipeline(agents.generic, decision, { startedAt: 0 }, decode);
    const seen = { available: true, sources: ["trace" as const], wrapped: [], observed: 2, categories: ["test" as const] };
    const out = run.fact({ type: "fact", at: 0, body: { type: "commands-observed", ...seen } });
    expect([...out, ...run.end(0)].find(({ event_type }) => event_type === "commands_observed")).toMatchObject({
      agent_action: { action_type: "run_tests", artifacts: [{ metadata: { observed_count: 2, sources: ["trace"] } }] },
    });
  });

  test("a run that a denied permission stopped has the action type blocked", () => {
    const lines = [
      { type: "system", subtype: "permission_denied", tool_name: "Bash", tool_use_id: "d" },
      { type: "result", subtype: "success", is_error: false, result: "I could not." },
    ];
    const events = feed(agents.claude, decision, [Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))]);
    expect(events[3]).toMatchObject({ event_type: "agent_completed", agent_action: { action_type: "blocked" } });
  });
});
