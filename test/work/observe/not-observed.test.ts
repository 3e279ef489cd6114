import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, harness } from "../../support/harness.ts";
import { place } from "../evaluate/support/place.ts";

/** T4: the nine events of a run that no one observed show what is on disk. */

afterAll(cleanUp);

interface Shown {
  readonly event_type: string;
  readonly model_output: { readonly output_raw: string | null };
  readonly agent_action: {
    readonly action_summary: string;
    readonly artifacts: readonly { content_ref: string | null; hash: string; metadata: Record<string, unknown> }[];
  };
}

const events = (text: string) =>
  new Map(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Shown)
      .map((event) => [event.event_type, event] as const),
  );

describe("T4: decision of a run that was not observed", () => {
  test("has its command, its time and its output, live and later", async () => {
    const { at, env } = place();
    writeFileSync(at("agent"), "#!/bin/sh\necho hello\necho oops >&2\n", { mode: 0o755 });
    const run = ["run", "--agent", "generic", "--command", at("agent"), "--prompt", "Go.", "--cwd", at("."), "--view", "decision"];
    const live = await harness(run, { env });
    const later = await harness(["derive", "last", "--view", "decision"], { env });
    expect(later.stdout).toBe(live.stdout);
    const found = events(live.stdout);
    expect(found.size).toBe(9);
    const [process] = found.get("agent_invoked")?.agent_action.artifacts ?? [];
    expect(process?.metadata).toMatchObject({ argv: [at("agent")], started_at: expect.stringMatching(/^2\d{3}-/) });
    expect(found.get("agent_invoked")?.agent_action.action_summary).not.toContain("cwd = workspace");
    const output = found.get("artifacts_captured");
    expect(output?.agent_action.action_summary).toBe("Agent stdout and stderr captured.");
    expect(output?.model_output.output_raw).toBe("captured_as_artifact");
    expect(output?.agent_action.artifacts.map(({ content_ref, metadata }) => [content_ref, metadata["bytes"]])).toEqual([
      ["raw.jsonl", 6],
      ["stderr.log", 5],
    ]);
    expect(found.get("fs_diff_captured")?.agent_action.action_summary).toBe("Filesystem diff: unavailable: it was not observed.");
    expect(await harness(["verify", "last"], { env })).toMatchObject({ code: 0 });
  });

  test("has both ends of a trial's workspace, and the difference", async () => {
    const { at, env, evaluate } = place("trials");
    mkdirSync(at("given"));
    writeFileSync(at("given/given.txt"), "one\n");
    const { lines } = await evaluate(
      "echo two > given.txt; echo new > made.txt; echo done",
      [{ id: "a", input: "Go." }],
      "-k",
      "1",
      "--workspace",
      at("given"),
      "-g",
      "command:true",
    );
    const [run] = (lines[0] as { trials: { runs: string[] }[] }).trials[0]?.runs ?? [];
    const found = events((await harness(["derive", run ?? "", "--view", "decision"], { env })).stdout);
    const [workspace] = found.get("workspace_prepared")?.agent_action.artifacts ?? [];
    expect(workspace).toMatchObject({ content_ref: "artifacts/workspace/before.jsonl", metadata: { source: "copied" } });
    expect(found.get("agent_invoked")?.agent_action.action_summary).toContain("cwd = workspace");
    const [diff] = found.get("fs_diff_captured")?.agent_action.artifacts ?? [];
    expect(diff?.content_ref).toBe("artifacts/workspace/diff.patch");
    expect(diff?.metadata["changed_paths"]).toEqual(
      expect.arrayContaining([
        { kind: "modified", path: "given.txt" },
        { kind: "added", path: "made.txt" },
      ]),
    );
    expect(diff?.metadata["left_out"]).toBe("unknown");
    const patch = readFileSync(join(env["XDG_DATA_HOME"] ?? "", "harness/runs", run ?? "", String(diff?.content_ref)), "utf8");
    expect(patch).toContain("+two\n");
  });
});
