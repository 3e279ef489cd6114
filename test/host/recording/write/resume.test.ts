import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { planRun } from "../../../../src/host/recording/write/plan-run.ts";
import { run } from "../../../../src/host/recording/write/run.ts";
import type { EarlierRun } from "../../../../src/host/recording/write/run-plan.ts";
import { noTokens } from "../../../../src/pure/events/tokens.ts";
import type { Agent } from "../../../../src/pure/pipeline/agent.ts";
import { agent, cleanUp, command, type Done, jsonLines, LONG_MS, type Place, place } from "../../../support/place.ts";

afterAll(cleanUp);

const KEEPS = agent("keeps-a-session.mjs");

/** A run of the stand-in for Codex, or for Goose, in this place. */
function speak(here: Place, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Done> {
  return here.run(["--binary", KEEPS, ...args], { env: { COUNTER: join(here.root, "../counter"), ...env } });
}

const idsOf = (here: Place) => here.recordings().map(({ id }) => id);

describe.concurrent("a run that resumes another", () => {
  test("continues its session, and inherits agent, directory, model and permissions", { timeout: 2 * LONG_MS }, async () => {
    const here = place();
    const cwd = join(here.root, "..");
    expect((await speak(here, ["--agent", "codex", "--model", "m-1", "--permissions", "full", "--cwd", cwd])).code).toBe(0);
    const [first = ""] = idsOf(here);
    expect(await speak(here, ["--resume", "last"])).toMatchObject({ code: 0, stderr: "" });
    const second = here.recordings().find(({ manifest }) => manifest.resumes === first);
    expect(second?.manifest).toMatchObject({ agent: "codex", model: "m-1", permissions: "full", cwd, resumes: first });
    expect(second?.manifest.command?.args.slice(-3)).toEqual(["resume", "thread-1", "-"]);
    expect(second?.sealed?.sessionId).toBe("thread-1");
    expect(second?.stream[0]).toMatchObject({ type: "SessionStart", session_id: "thread-1" });
    const list = jsonLines((await here.harness(["sessions", "list"])).stdout);
    expect(new Map(list.map(({ id, resumes }) => [id, resumes]))).toEqual(
      new Map([
        [first, null],
        [second?.id, first],
      ]),
    );
    const shown = await here.harness(["sessions", "show", second?.id ?? ""]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ resumes: first });
  });

  test("subtracts earlier runs from a session's own count, even if an older run is named", {
    timeout: 3 * LONG_MS,
  }, async () => {
    const here = place();
    await speak(here, ["--agent", "codex"]);
    const [first = ""] = idsOf(here);
    for (const name of ["last", first, "last"]) expect((await speak(here, ["--resume", name])).code).toBe(0);
    const usages = here.recordings().map(({ sealed }) => sealed?.usage);
    expect(usages).toEqual(Array(4).fill({ input: 80, cacheRead: 20, cacheWrite: null, output: 10, reasoning: null }));
    for (const { id } of here.recordings()) expect(await here.harness(["sessions", "verify", id])).toMatchObject({ code: 0 });
  });

  test("after a run without reported usage, the usage of the next one is unknown", { timeout: 2 * LONG_MS }, async () => {
    const here = place();
    const text = '{"type":"thread.started","thread_id":"thread-1"}\n{"type":"turn.failed","error":{"message":"no"}}\n';
    await here.run(["--agent", "codex", "--binary", agent("says.mjs")], { env: { TEXT: text, EXIT: "1" } });
    expect((await speak(here, ["--resume", "last"])).code).toBe(0);
    expect(here.recordings().find(({ manifest }) => manifest.resumes)?.sealed?.usage).toEqual(noTokens);
  });

  test("Goose's session is named after its first run", { timeout: 2 * LONG_MS }, async () => {
    const here = place();
    await speak(here, ["--agent", "goose"], { IS_GOOSE: "1" });
    const { id, sealed, manifest } = here.recording();
    expect(manifest.command?.args.join(" ")).toContain(`--name ${id}`);
    expect(sealed?.sessionId).toBe(id);
    await speak(here, ["--resume", id], { IS_GOOSE: "1" });
    const second = here.recordings().find((each) => each.id !== id);
    expect(second?.manifest.command?.args.join(" ")).toContain(`--resume --name ${id}`);
    expect(second?.sealed).toMatchObject({ sessionId: id, usage: { input: 100, output: 10 } });
    expect(await here.harness(["sessions", "verify", second?.id ?? ""])).toMatchObject({ code: 0 });
  });

  test("--dry-run shows it and runs nothing", { timeout: LONG_MS }, async () => {
    const here = place();
    await speak(here, ["--agent", "codex"]);
    const { stdout } = await speak(here, ["--resume", "last", "--dry-run"]);
    expect(JSON.parse(stdout)).toMatchObject({ agent: "codex", resumes: { run: here.recording().id, sessionId: "thread-1" } });
  });

  test("the library: run({ resume, prompt })", { timeout: LONG_MS }, async () => {
    const here = place();
    const env = { COUNTER: join(here.root, "../counter") };
    await speak(here, ["--agent", "codex"]);
    const records = [];
    for await (const record of run({ resume: "last", prompt: "On.", binary: KEEPS, env, dataDirectory: here.root })) records.push(record);
    expect(records.at(-1)).toMatchObject({ type: "Result", status: "completed", session_id: "thread-1" });
  });
});

describe.concurrent("a run that cannot be resumed is rejected with one sentence", () => {
  const rejected = async (here: Place, args: readonly string[], code: number, why: RegExp) => {
    const before = idsOf(here);
    const done = await speak(here, args);
    expect({ code: done.code, stdout: done.stdout }).toEqual({ code, stdout: "" });
    expect(done.stderr).toMatch(/^harness: [^\n]+\.\n$/);
    expect(done.stderr).toMatch(why);
    expect(idsOf(here)).toEqual(before);
  };

  test("an unknown run, a different agent, no session id, an invalid session id", { timeout: 3 * LONG_MS }, async () => {
    const here = place();
    await rejected(here, ["--resume", "last"], 2, /Nothing has been recorded/);
    await speak(here, ["--agent", "codex"]);
    await rejected(here, ["--resume", "last", "--agent", "claude"], 2, /belongs to codex, and claude cannot resume/);
    const other = place();
    await other.run(command("exits-at-once"));
    await rejected(other, ["--resume", "last"], 2, /did not report a session id/);
    const hostile = place();
    await speak(hostile, ["--agent", "codex"], { THREAD: "--dangerously-bypass-approvals-and-sandbox" });
    await rejected(hostile, ["--resume", "last"], 2, /printed is not valid/);
  });

  test("a run that is still running", { timeout: LONG_MS }, async () => {
    const here = place();
    const going = here.start(["run", "--prompt", "Go.", ...command("stops-politely")]);
    await going.printed("ready");
    await rejected(here, ["--resume", "last"], 3, /is still running, in process \d+/);
    going.child.kill("SIGTERM");
    await going.done;
  });

  test("an agent that cannot resume, and does not claim that it can", () => {
    const silent: Agent = {
      id: "mine",
      title: "Mine",
      binaries: ["sh"],
      command: () => ({ args: [] }),
      open: () => ({ push: () => [], end: () => [] }),
    };
    const used = { tokens: noTokens, costUsd: null };
    const earlier: EarlierRun = { id: "r", directory: "/r", agent: "mine", cwd: "/", permissions: "default", sessionId: "s", used };
    expect(() => planRun({ agent: silent, prompt: "On." }, earlier)).toThrow("Mine cannot resume an earlier session");
  });

  test("reports a session that the agent does not find", { timeout: 2 * LONG_MS }, async () => {
    const here = place();
    await speak(here, ["--agent", "codex"]);
    const done = await here.run(["--resume", "last", "--binary", agent("says.mjs")], { env: { EXIT: "1" } });
    expect(done.code).toBe(1);
    expect(done.stderr).toBe("harness: nothing was added to session thread-1: Codex may no longer have it in this home and directory\n");
  });
});
