import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseJsonLines } from "../../../src/pure/base/index.ts";
import { decisionTypes } from "../../../src/pure/views/decision/decision-types.ts";
import { watchCommands } from "../../../src/work/observe/commands/watch-commands.ts";
import { firstBreach } from "../../../src/work/observe/verify/contract.ts";
import { verify } from "../../../src/work/observe/verify/verify.ts";
import { type Fixture, loadFixtures } from "../../support/fixtures.ts";
import { agent, inParallel, LONG_MS } from "../../support/place.ts";
import { strictFlaw } from "../../support/strict-flaw.ts";
import { cleanUpFolders, fileOf, folder, linesOf, noParts, type Observation, observe, rederived, script } from "./support.ts";

afterAll(cleanUpFolders);

/** All nine events, in order, once each, matching schema and contract; the same live, on disk, and derived again. */
async function expectNine(observation: Observation): Promise<void> {
  const { events } = observation;
  const types = events.map(({ event_type }) => event_type.replace("commands_observation_unavailable", "commands_observed"));
  expect(types).toEqual(decisionTypes);
  for (const event of events) expect(strictFlaw("decision", event)).toBeUndefined();
  expect(firstBreach(JSON.parse(JSON.stringify(events)))).toBeUndefined();
  expect(fileOf(observation)).toBe(linesOf(events));
  expect(await rederived(observation)).toBe(linesOf(events));
}

const byType = ({ events }: Observation, type: string) => events.find(({ event_type }) => event_type === type);
const diffOf = (observation: Observation) => byType(observation, "fs_diff_captured")?.agent_action.artifacts[0];

describe("every agent", () => {
  /** The first small recording of each. */
  const fixtures = new Map<string, Fixture>();
  for (const fixture of loadFixtures())
    if (fixture.raw.length < 100_000 && !fixtures.has(fixture.agent.id)) fixtures.set(fixture.agent.id, fixture);

  test("gives the nine", { timeout: 6 * LONG_MS }, async () => {
    const played = [...fixtures.values()].filter(({ agent: { protocol } }) => protocol === undefined);
    expect(played.length).toBeGreaterThan(8);
    await inParallel(3, played, async ({ agent: { id }, raw, stderr, exitCode }) => {
      const base = folder();
      const pieces = [
        { fd: 1, base64: raw.toString("base64"), pauseMs: 0 },
        { fd: 2, base64: stderr.toString("base64"), pauseMs: 0 },
      ];
      writeFileSync(join(base, "script.json"), JSON.stringify({ pieces, exitCode }));
      const program = id === "generic" ? { command: agent("plays.mjs") } : { binary: agent("plays.mjs") };
      const isOurs = id === "native" || id === "rlm"; // they require a model and its key
      const observation = await observe({
        agent: id,
        ...(isOurs && { model: "anthropic/any" }),
        ...program,
        env: { SCRIPT: join(base, "script.json"), ANTHROPIC_API_KEY: "a-key-for-nobody" },
      });
      await expectNine(observation);
      const names = readdirSync(join(observation.out, "artifacts"));
      expect(names).toContain("agent_stdout.txt");
      expect(names.includes("claude_stdout.txt")).toBe(id === "claude");
      expect(observation.events[0]?.session.agent_id).toBe(id === "claude" ? "claude-code" : id);
    });
  });
});

describe("the observations", () => {
  test("the files: before, after, and the difference", { timeout: LONG_MS }, async () => {
    const base = folder();
    const source = join(base, "source");
    mkdirSync(source);
    writeFileSync(join(source, "kept.txt"), "kept\n");
    writeFileSync(join(source, "changed.txt"), "one\n");
    const program = script(base, "echo two > changed.txt; echo new > new.txt; echo Done.");
    const observation = await observe({ workspace: source, command: program });
    await expectNine(observation);
    expect(readFileSync(join(source, "changed.txt"), "utf8")).toBe("one\n");
    expect(fileOf(observation, "artifacts/fs_diff.patch")).toContain("-one\n+two\n");
    expect(diffOf(observation)?.metadata).toMatchObject({
      changed_count: 2,
      changed_paths: [
        { kind: "modified", path: "changed.txt" },
        { kind: "added", path: "new.txt" },
      ],
    });
    expect(fileOf(observation, "artifacts/agent_stdout.txt")).toBe("Done.\n");
    expect(existsSync(join(observation.directory, ".contents"))).toBe(false);
    expect(existsSync(join(observation.out, ".commands"))).toBe(false);
  });

  test("a directory that contains the observation is copied without it and without earlier ones", { timeout: 2 * LONG_MS }, async () => {
    const base = folder();
    writeFileSync(join(base, "mine.txt"), "mine\n");
    mkdirSync(join(base, "runs/mine"), { recursive: true });
    writeFileSync(join(base, "runs/mine/notes"), "mine too\n");
    const options = { workspace: base, dataDirectory: join(folder(), "data") };
    await observe({ ...options, out: join(base, "runs/first") });
    const link = join(folder(), "link");
    symlinkSync(base, link);
    for (const [name, workspace] of [
      ["second", base],
      ["third", link],
      ["fourth", `${link}/`],
    ] as const) {
      const { out } = await observe({ ...options, workspace, out: join(base, "runs", name) });
      expect(readdirSync(join(out, "workspace"))).toEqual(["mine.txt", "runs"]);
      expect(readdirSync(join(out, "workspace/runs"))).toEqual(["mine"]);
    }
    const { out } = await observe({ ...options, out: join(link, "runs/fifth") });
    expect(readdirSync(join(out, "workspace/runs"))).toEqual(["mine"]);
  });

  test.each([
    ["full", "Go."],
    ["redacted", "[redacted: 3 characters]"],
    ["hashed", "sha256:"],
  ] as const)("capture mode %s", { timeout: LONG_MS }, async (capture, request) => {
    const observation = await observe({ capture, agent: "claude", binary: agent("exits-at-once"), command: undefined });
    await expectNine(observation);
    expect(observation.events[1]?.request.user_request_raw).toContain(request);
    const said = linesOf(observation.events);
    if (capture === "full") return;
    expect(said).not.toContain("Go.");
    expect(said).not.toContain(observation.base);
    expect(fileOf(observation, "metadata.json")).not.toContain("Go.");
  });

  test("a secret that the agent writes into a file is in none of our files", { timeout: LONG_MS }, async () => {
    const base = folder();
    const program = script(base, 'echo "key=$CANARY_API_KEY" > stolen.txt; : > "$CANARY_API_KEY"; echo "$CANARY_API_KEY"');
    const observation = await observe({ command: program, env: { CANARY_API_KEY: "canary-value-0451" } });
    await expectNine(observation);
    for (const root of [observation.out, observation.directory])
      for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
        const path = join(root, name);
        if (name.startsWith("workspace") || readdirSafely(path)) continue;
        expect(readFileSync(path, "latin1"), name).not.toContain("canary-value-0451");
      }
    expect(diffOf(observation)?.metadata["problem"]).toContain("masked");
  });

  test("our search for leftover processes does not count as the agent's command", { timeout: LONG_MS }, async () => {
    const program = script(folder(), "ls > /dev/null; sleep 600 & echo Done.");
    const observation = await observe({ command: program, wrap: ["ls", "grep"] }, { ...noParts, watchCommands });
    await expectNine(observation);
    const log = fileOf(observation, "artifacts/command_logs.jsonl");
    expect(log).toContain('"ls"');
    expect(log).not.toContain("HARNESS_RUN_COOKIE");
  });

  test("snapshots between turns say which call changed what", { timeout: LONG_MS }, async () => {
    const base = folder();
    const use = (id: string, command: string) =>
      JSON.stringify({
        type: "assistant",
        message: { id: `m-${id}`, role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: { command } }] },
      });
    const got = (id: string) =>
      JSON.stringify({ type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "" }] } });
    const program = script(
      base,
      ["a", "b"].map((name) => `echo '${use(name, `touch ${name}`)}'; touch ${name}; echo '${got(name)}'; sleep 1`).join("\n"),
    );
    const observation = await observe({ agent: "claude", binary: program, command: undefined, snapshots: "turns" });
    await expectNine(observation);
    const records = fileText(join(observation.directory, "records.jsonl")).flatMap((line) =>
      line["type"] === "fact" ? [line["body"] as Record<string, unknown>] : [],
    );
    const turns = records.filter(({ type, turn }) => type === "files-changed" && turn !== undefined);
    const [first] = turns;
    expect(first).toMatchObject({ turn: 1, callId: "a" });
    // On a busy machine the first snapshot may come so late that it sees both.
    expect(turns.flatMap(({ changes }) => changes)).toMatchObject(["a", "b"].map((path) => ({ kind: "added", path })));
  });
});

describe("when a step fails, the nine events still come", () => {
  test("the agent cannot be started", { timeout: LONG_MS }, async () => {
    const observation = await observe({ command: agent("needs-an-interpreter") });
    expect(String(observation.error)).toContain("needs-an-interpreter");
    await expectNine(observation);
    expect(byType(observation, "agent_completed")?.agent_action.action_summary).toContain("exit_code=unknown");
    expect(byType(observation, "agent_completed")?.agent_action.action_summary).toContain("stopped_by=not-started");
  });

  test("the agent is killed", { timeout: LONG_MS }, async () => {
    const observation = await observe({ command: script(folder(), "echo half > file; kill -9 $$") });
    await expectNine(observation);
    expect(byType(observation, "agent_completed")?.agent_action.action_summary).toContain("signal=SIGKILL");
    expect(diffOf(observation)?.metadata["changed_count"]).toBe(1);
  });

  test("the agent runs for too long", { timeout: LONG_MS }, async () => {
    const observation = await observe({ command: agent("says-nothing"), timeoutMs: 300 });
    await expectNine(observation);
    expect(observation.seal?.status).toBe("timed_out");
    expect(byType(observation, "agent_completed")?.agent_action.action_summary).toContain("stopped_by=timeout");
  });

  test("it is canceled before the agent is started", { timeout: LONG_MS }, async () => {
    const stop = new AbortController();
    const parts = {
      ...noParts,
      watchCommands: async () => {
        setImmediate(() => stop.abort());
        return noParts.watchCommands({ wrap: [], trace: false, path: "", directory: "", log: "" });
      },
    };
    const observation = await observe({ signal: stop.signal }, parts).catch((error: unknown) => error);
    if (observation instanceof Error) return expect(observation.name).toBe("AbortError"); // the cancellation came before our start
    await expectNine(observation as Observation);
  });

  test("it is canceled during the workspace copy: the copy stops, and the agent does not start", { timeout: LONG_MS }, async () => {
    const base = folder();
    mkdirSync(join(base, "source"));
    for (let n = 0; n < 3000; n++) writeFileSync(join(base, "source", `file-${n}`), "contents");
    const observation = await observe({ workspace: join(base, "source") }, noParts, (live) => live.cancel());
    await expectNine(observation);
    expect(observation.seal?.status).toBe("canceled");
    expect(byType(observation, "workspace_prepared")?.agent_action.action_summary).toContain("canceled during the copy");
    expect(readdirSync(join(observation.out, "workspace")).length).toBeLessThan(3000);
  });

  test("the workspace cannot be copied: the agent does not start", { timeout: LONG_MS }, async () => {
    const observation = await observe({ workspace: "/does/not/exist" });
    expect(String(observation.error)).toContain("/does/not/exist");
    await expectNine(observation);
    expect(byType(observation, "workspace_prepared")?.agent_action.action_summary).toContain("/does/not/exist");
    expect(byType(observation, "agent_invoked")?.agent_action.artifacts[0]?.metadata["started_at"]).toBe("unknown");
  });

  test("the diff exceeds its budget: unread files are reported, and nothing is invented", { timeout: LONG_MS }, async () => {
    const base = folder();
    const source = join(base, "source");
    mkdirSync(source);
    for (const name of ["a", "b", "c"]) writeFileSync(join(source, name), name.repeat(100));
    const observation = await observe({ workspace: source, command: script(base, "echo more >> c"), limits: { bytes: 150 } });
    await expectNine(observation);
    expect(diffOf(observation)?.metadata["unseen"]).toBeGreaterThan(0);
  });

  test.each([
    ["gone", "rm -r workspace", "is gone"],
    ["elsewhere", "mv workspace moved", "is gone"],
    ["a file", "rm -r workspace; echo x > workspace", "is no longer a directory"],
    ["a link", 'rm -r workspace; ln -s "$OUTSIDE" workspace', "behind a symbolic link"],
    [
      "behind a link",
      'd="$PWD"; mv "$d" "$d-old"; mkdir "$d-new"; ln -s "$OUTSIDE" "$d-new/workspace"; ln -s "$d-new" "$d"',
      "symbolic link",
    ],
  ])(
    "the workspace is %s afterwards: nothing is followed, and its contents count as deleted",
    { timeout: LONG_MS },
    async (_, text, problem) => {
      const [base, source, outside] = [folder(), folder(), folder()];
      writeFileSync(join(source, "a.test.js"), "test\n");
      writeFileSync(join(outside, "theirs"), "canary of the outside\n");
      const observation = await observe({ command: script(base, `cd ..; ${text}`), workspace: source, env: { OUTSIDE: outside } });
      const { artifacts } = observation.events[5]?.agent_action ?? { artifacts: [] };
      expect(artifacts[0]?.metadata).toMatchObject({ changed_count: 1, counts: { deleted: 1 }, problem: expect.stringContaining(problem) });
      expect(readFileSync(join(observation.directory, "artifacts/fs_diff.patch"), "utf8")).toContain("deleted file");
      expect(readFileSync(join(observation.directory, "artifacts/manifest_after.jsonl"), "utf8")).not.toContain("theirs");
      expect(readdirSync(outside)).toEqual(["theirs"]);
      if (observation.error === undefined) await expectNine(observation);
      else expect(observation.error).toMatchObject({ message: expect.stringContaining("Cannot write") }); // if its own folder was replaced
    },
  );

  test("the agent removes, truncates or replaces our files next to its workspace: they are restored", {
    timeout: 2 * LONG_MS,
  }, async () => {
    for (const text of [
      "rm -r events.jsonl metadata.json; mkdir events.jsonl metadata.json seal.json; touch events.jsonl/x",
      ": > events.jsonl; echo x >> metadata.json",
      "ln -sf /etc/passwd events.jsonl; ln -sf /etc/passwd metadata.json",
      "chmod 000 events.jsonl metadata.json; chmod 000 workspace; chmod 000 .", // if it is not root
    ]) {
      const observation = await observe({ command: script(folder(), `cd ..; ${text}`) });
      await expectNine(observation);
      expect(JSON.parse(fileOf(observation, "metadata.json"))).toMatchObject({ run_id: observation.id });
      const options = { dataDirectory: join(observation.base, "data") };
      expect(await verify(observation.out, options), text).toMatchObject({ ok: true, unchecked: [] });
    }
  });

  test("the agent removes the whole observation: the recording still has everything seen", { timeout: LONG_MS }, async () => {
    const observation = await observe({ command: script(folder(), 'd=$(dirname "$PWD"); cd /; rm -r "$d"') });
    expect(String(observation.error)).toContain("Cannot write");
    expect(observation.events).toHaveLength(9);
    const options = { dataDirectory: join(observation.base, "data") };
    expect(await verify(observation.directory, options)).toMatchObject({
      ok: true,
      unchecked: [expect.stringContaining("observation")],
    });
  });

  test("the agent replaces our files", { timeout: LONG_MS }, async () => {
    const observation = await observe({ command: script(folder(), "cd ..; mkfifo artifacts; ln -s /etc/passwd seal.json") });
    await expectNine(observation);
    expect(fileOf(observation, "artifacts/agent_stdout.txt")).toBe("");
    expect(JSON.parse(fileOf(observation, "seal.json"))).toMatchObject({ run_id: observation.id });
  });

  test("commands cannot be collected", { timeout: LONG_MS }, async () => {
    const broken = { env: {}, collect: async () => Promise.reject(new Error("no log")) };
    const observation = await observe({}, { ...noParts, watchCommands: async () => broken });
    await expectNine(observation);
    expect(observation.events[6]).toMatchObject({ event_type: "commands_observation_unavailable" });
    expect(observation.events[6]?.agent_action.action_summary).toContain("no log");
  });

  test("the checks throw", { timeout: LONG_MS }, async () => {
    const evaluate = async () => Promise.reject(new Error("a policy that is none"));
    const observation = await observe({}, { ...noParts, evaluate });
    await expectNine(observation);
    const { evaluation, agent_action } = byType(observation, "evaluation_performed") ?? {};
    expect(agent_action?.action_summary).toContain("a policy that is none");
    expect([evaluation?.alignment.status, evaluation?.quality.status, evaluation?.policy.status]).toEqual([
      "unknown",
      "unknown",
      "unknown",
    ]);
  });
});

function fileText(path: string): Record<string, unknown>[] {
  return parseJsonLines(readFileSync(path, "utf8"));
}

function readdirSafely(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}
