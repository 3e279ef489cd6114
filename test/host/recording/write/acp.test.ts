import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  agent,
  cleanUp,
  expectNoOrphan,
  expectWhole,
  jsonLines,
  LONG_MS,
  type Place,
  place,
  type Recorded,
  type Where,
} from "../../../support/place.ts";

afterAll(cleanUp);

/** An agent may take two seconds to exit after its answer; five times that on a busy machine. */
const SOON_MS = 10_000;

interface Talked {
  readonly code: number | null;
  readonly recording: Recorded;
  /** The records of the view `log`. */
  readonly log: readonly Record<string, unknown>[];
  readonly where: Place;
  readonly stderr: string;
}

/** A run of the agent in agents/acp.mjs: what it does, and the flags of the run. */
async function talk(what: readonly string[], flags: readonly string[] = [], more: Where = {}): Promise<Talked> {
  const where = place();
  const args = ["run", "--prompt", "Go.", "--agent", "acp", "--view", "log", ...flags, "--", agent("acp.mjs"), ...what];
  const { code, stdout, stderr } = await where.harness(args, more);
  const recording = where.recording();
  expectWhole(recording.stream);
  expectEveryLine(recording);
  await expectNoOrphan(recording);
  return { code, recording, log: jsonLines(stdout), where, stderr };
}

/** Nothing is lost: every line of the agent has a record, and the records cover the file to its last byte. */
function expectEveryLine({ directory }: Recorded): void {
  const lines = jsonLines(readFileSync(join(directory, "records.jsonl"), "utf8")).filter(({ stream }) => stream === "stdout");
  let end = 0;
  for (const { offset, length, unterminated } of lines) {
    expect(offset).toBe(end);
    end = Number(offset) + Number(length) + (unterminated === true ? 0 : 1);
  }
  expect(statSync(join(directory, "raw.jsonl")).size).toBe(end);
}

function statusOf({ recording }: Talked): unknown[] {
  return [recording.sealed?.status, recording.sealed?.reason];
}

function decisionsOf({ log }: Talked): unknown[] {
  return log.filter(({ type }) => type === "permission-decision").map(({ callId, decision, reason }) => [callId, decision, reason]);
}

function textOf({ log }: Talked): string {
  return log
    .filter(({ type }) => type === "message")
    .map(({ text }) => text)
    .join("");
}

function clientOf({ recording }: Talked): readonly Record<string, unknown>[] {
  return jsonLines(readFileSync(join(recording.directory, "client.jsonl"), "utf8"));
}

describe("a conversation", () => {
  test("initialize, a session, the prompt; our side is stored, private and sealed", { timeout: LONG_MS }, async () => {
    const talked = await talk(["behaves"]);
    expect(talked.code).toBe(0);
    expect(statusOf(talked)).toEqual(["completed", "end_turn"]);
    expect(textOf(talked)).toBe("Done.");
    expect(clientOf(talked).map(({ method }) => method)).toEqual(["initialize", "session/new", "session/prompt"]);
    const { directory, manifest, id } = talked.recording;
    expect(manifest.command?.promptBy).toBe("protocol");
    expect(statSync(join(directory, "client.jsonl")).mode & 0o777).toBe(0o600);
    expect(manifest.sealed?.files["client.jsonl"]?.bytes).toBe(statSync(join(directory, "client.jsonl")).size);
    expect((await talked.where.harness(["sessions", "verify", id])).code).toBe(0);
    writeFileSync(join(directory, "client.jsonl"), "{}\n");
    const verified = await talked.where.harness(["sessions", "verify", id]);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain("client.jsonl");
  });

  test("with --command, and with a named agent", { timeout: LONG_MS }, async () => {
    const where = place();
    const line = `${agent("acp.mjs")} behaves`;
    expect((await where.harness(["run", "--prompt", "Go.", "--agent", "acp", "--command", line])).code).toBe(0);
    expect((await where.harness(["run", "--prompt", "Go.", "--agent", "codex-acp", "--binary", agent("acp.mjs")])).code).toBe(0);
    const named = where.recordings().find(({ manifest }) => manifest.agent === "codex-acp");
    expect(named).toBeDefined();
    expect(
      (await where.harness(["derive", join(named?.directory ?? "", "raw.jsonl"), "--agent", "goose-acp", "--view", "result"])).stdout,
    ).toContain('"completed"');
  });

  test("a session to resume", { timeout: LONG_MS }, async () => {
    const { where } = await talk(["behaves"]);
    const more = ["run", "--prompt", "And now?", "--resume", "last", "--", agent("acp.mjs"), "behaves"];
    expect((await where.harness(more)).code).toBe(0);
    const resumed = where.recordings().find(({ manifest }) => manifest.resumes !== undefined);
    expect(resumed?.raw).toContain("Loaded s-1.");
    const shown = JSON.stringify(resumed?.stream);
    expect(shown).not.toContain("Loaded s-1."); // an agent replays earlier runs while it loads a session
    expect(shown).toContain("Done.");
  });

  test("without a program it is an error", { timeout: LONG_MS }, async () => {
    const { code, stderr } = await place().harness(["run", "--prompt", "Go.", "--agent", "acp"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--command");
  });

  test("logs in with the variable that is set", { timeout: LONG_MS }, async () => {
    const talked = await talk(["needs-login"], [], { env: { FAKE_API_KEY: "a-key-of-mine" } });
    expect(statusOf(talked)).toEqual(["completed", "end_turn"]);
    expect(clientOf(talked).map(({ method }) => method)).toEqual([
      "initialize",
      "session/new",
      "authenticate",
      "session/new",
      "session/prompt",
    ]);
    expect(statusOf(await talk(["needs-login"]))).toEqual(["infrastructure", "auth_required"]);
  });

  test("accepts an id that comes back as a string", { timeout: LONG_MS }, async () => {
    expect(statusOf(await talk(["string-ids"]))).toEqual(["completed", "end_turn"]);
  });

  test("secrets are masked on both sides", { timeout: LONG_MS }, async () => {
    const servers = join(dirname(place().root), "servers.json");
    const server = { command: "true", args: ["--x"], env: { SERVER_TOKEN: "a-token/of+theirs", LEVEL: "quiet" } };
    const address = { url: "https://example.invalid/mcp", headers: { Authorization: "Bearer another-token-1" } };
    writeFileSync(servers, JSON.stringify({ mcpServers: { one: server, two: address } }));
    const talked = await talk(["leaks", "a-token/of+theirs", "another-token-1"], ["--mcp", servers], {
      env: { A_TOKEN: "a-secret-of-mine" },
    });
    const { directory } = talked.recording;
    for (const name of ["raw.jsonl", "client.jsonl", "records.jsonl", "events.jsonl", "run.json"]) {
      const text = readFileSync(join(directory, name), "utf8");
      for (const secret of ["a-secret-of-mine", "a-token/of+theirs", "another-token-1"]) expect(text, name).not.toContain(secret);
    }
    expect(readFileSync(join(directory, "client.jsonl"), "utf8")).toContain('"LEVEL"');
    expect(talked.recording.manifest.mcp).toEqual(["one", "two"]);
  });

  test("MCP servers reach the agent", { timeout: LONG_MS }, async () => {
    const talked = await talk(["tells-mcp"], ["--mcp", "tests=node 'a server.mjs' --stdio", "--mcp", "web=https://example.invalid/mcp"]);
    expect(JSON.parse(textOf(talked).replace(/Done\.$/, ""))).toEqual([
      { name: "tests", command: "node", args: ["a server.mjs", "--stdio"], env: [] },
      { type: "http", name: "web", url: "https://example.invalid/mcp", headers: [] },
    ]);
    const { code, stderr } = await place().harness(["run", "--prompt", "Go.", "--agent", "acp", "--mcp", "nowhere.json", "--", "true"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("nowhere.json")]);
  });
});

describe("how a turn ends", () => {
  test.each([
    ["end_turn", "failed", "nothing-happened"],
    ["max_tokens", "failed", "nothing-happened"],
    ["max_turn_requests", "failed", "max_turn_requests"],
    ["refusal", "failed", "refusal"],
    ["cancelled", "canceled", "cancelled"],
    ["something_new", "failed", "something_new"],
  ])("%s after nothing was said or done is %s", { timeout: LONG_MS }, async (stopReason, status, reason) => {
    expect(statusOf(await talk(["ends-otherwise", stopReason]))).toEqual([status, reason]);
  });

  test("an error of the protocol", { timeout: LONG_MS }, async () => {
    expect(statusOf(await talk(["fails", "-32603", "API Error: 500 overloaded"]))[0]).toBe("infrastructure");
    expect(statusOf(await talk(["fails", "-32602", "bad"]))).toEqual(["failed", "invalid_params"]);
  });

  test("a different version of the protocol", { timeout: LONG_MS }, async () => {
    const talked = await talk(["wrong-version"]);
    expect(statusOf(talked)[0]).toBe("failed");
    expect(talked.log).toContainEqual(expect.objectContaining({ type: "error", code: "protocol-version" }));
  });

  test("an agent that does not exit is stopped, and still counts as a success", { timeout: LONG_MS }, async () => {
    const talked = await talk(["behaves", "stays"]);
    expect(statusOf(talked)).toEqual(["completed", "end_turn"]);
    expect(talked.recording.sealed?.stopped).toBe("after-result");
    expect(talked.recording.sealed?.durationMs).toBeLessThan(SOON_MS);
  });

  test("it dies before it answers a request", { timeout: LONG_MS }, async () => {
    const talked = await talk(["dies-asking", "0"]);
    expect(statusOf(talked)).toEqual(["failed", "result-missing"]);
    expect(talked.log).toContainEqual(expect.objectContaining({ type: "error", code: "unanswered" }));
    expect(talked.recording.sealed?.durationMs).toBeLessThan(SOON_MS);
    expect(statusOf(await talk(["dies-asking", "3"]))).toEqual(["failed", "exit-code"]);
  });

  test("it closes its input and keeps running", { timeout: LONG_MS }, async () => {
    const talked = await talk(["closes"], ["--timeout", "2s"]);
    expect(statusOf(talked)[0]).not.toBe("completed");
    expect(talked.recording.sealed?.durationMs).toBeLessThan(2000 + SOON_MS);
  });

  test("an answer to a request we never sent does not count", { timeout: LONG_MS }, async () => {
    const talked = await talk(["wrong-id"]);
    expect(statusOf(talked)).toEqual(["failed", "unanswered"]);
    expect(talked.recording.sealed?.durationMs).toBeLessThan(SOON_MS);
  });

  test("it never answers", { timeout: LONG_MS }, async () => {
    const late = await talk(["never-answers"], ["--timeout", "1s"]);
    expect([late.code, ...statusOf(late)]).toEqual([124, "timed_out", "timeout"]);
    const hung = await talk(["never-answers"], ["--idle-timeout", "1s"]);
    expect([hung.code, ...statusOf(hung)]).toEqual([124, "hung", "idle-timeout"]);
    for (const { recording } of [late, hung]) expect(recording.sealed?.durationMs).toBeLessThan(1000 + SOON_MS);
  });

  test("a timeout sends a cancel to the agent, and stays a timeout", { timeout: LONG_MS }, async () => {
    const talked = await talk(["waits-for-cancel"], ["--timeout", "1s"]);
    expect(statusOf(talked)).toEqual(["timed_out", "timeout"]);
    expect(clientOf(talked).at(-1)?.["method"]).toBe("session/cancel");
    expect(talked.log).toContainEqual(expect.objectContaining({ type: "result", outcome: "canceled" }));
  });

  test("Ctrl-C: session/cancel first", { timeout: LONG_MS }, async () => {
    const where = place();
    const run = where.start(["run", "--prompt", "Go.", "--agent", "acp", "--", agent("acp.mjs"), "waits-for-cancel"]);
    await run.printed("Working.");
    run.child.kill("SIGINT");
    expect((await run.done).code).toBe(130);
    const recording = where.recording();
    expect([recording.sealed?.status, recording.sealed?.reason]).toEqual(["canceled", "canceled"]);
    expect(recording.raw).toContain('"cancelled"');
    await expectNoOrphan(recording);
  });
});

test("the recorder is killed: its decisions are kept, and the next command completes the run", { timeout: LONG_MS }, async () => {
  const where = place();
  const run = where.start(["run", "--prompt", "Go.", "--agent", "acp", "--allow", "make", "--", agent("acp.mjs"), "asks-and-waits"]);
  await run.printed("yes");
  run.child.kill("SIGKILL");
  await run.done;
  const { stdout } = await where.harness(["derive", "last", "--view", "log"]);
  const log = jsonLines(stdout);
  expect(log).toContainEqual(expect.objectContaining({ type: "permission-decision", decision: "allow", reason: "allow make" }));
  expect(log.at(-1)).toMatchObject({ type: "run-end", status: "crashed" });
  const recording = where.recording();
  expect(recording.sealed?.files["client.jsonl"]?.bytes).toBeGreaterThan(0);
  expect((await where.harness(["sessions", "verify", "last"])).code).toBe(0);
  await expectNoOrphan(recording);
});

describe("an unreadable line", () => {
  test("longer than the limit: one unknown, and the conversation continues", { timeout: LONG_MS }, async () => {
    const talked = await talk(["oversize"]);
    expect(statusOf(talked)).toEqual(["completed", "end_turn"]);
    expect(talked.log.filter(({ type }) => type === "unknown")).toEqual([expect.objectContaining({ oversize: true })]);
    expect(textOf(talked)).toBe("Still here.");
    expect(talked.recording.raw.length).toBeGreaterThan(17 * 1024 * 1024);
  });

  test("garbage: one unknown each, nothing printed, and the conversation continues", { timeout: LONG_MS }, async () => {
    const talked = await talk(["garbage"]);
    expect(statusOf(talked)).toEqual(["completed", "end_turn"]);
    expect(textOf(talked)).toBe("Still here.");
    expect(talked.log.filter(({ type }) => type === "unknown").length).toBeGreaterThanOrEqual(12);
    expect(talked.stderr).toBe("");
  });
});

describe("requests", () => {
  test("a reused id: each request is answered, those for the file system with an error", { timeout: LONG_MS }, async () => {
    const talked = await talk(["reuses-an-id"], ["--permissions", "full"]);
    expect(statusOf(talked)).toEqual(["completed", "end_turn"]);
    expect(decisionsOf(talked).map((decision) => (decision as unknown[]).slice(0, 2))).toEqual([
      ["a", "allow"],
      ["b", "allow"],
    ]);
    const answers = clientOf(talked).filter(({ method }) => method === undefined);
    expect(answers).toHaveLength(3);
    expect(answers).toContainEqual(expect.objectContaining({ id: 0, error: expect.objectContaining({ code: -32601 }) }));
  });

  test("thousands, with thousands of updates in between: all are answered", { timeout: 2 * LONG_MS }, async () => {
    const talked = await talk(["floods", "4000"], ["--permissions", "full"]);
    expect(statusOf(talked)).toEqual(["completed", "end_turn"]);
    expect(decisionsOf(talked)).toHaveLength(2000);
    expect(clientOf(talked)).toHaveLength(4003);
    expect(textOf(talked)).toContain("All answered.");
  });

  test("more than the agent reads: reported, and the run ends", { timeout: 2 * LONG_MS }, async () => {
    const talked = await talk(["floods-deaf"]);
    expect(talked.log.filter(({ code }) => code === "flooded")).toHaveLength(1);
    expect(statusOf(talked)).toEqual(["completed", "end_turn"]);
    expect(talked.log.filter(({ type, method }) => type === "notice" && method === undefined).length).toBeGreaterThanOrEqual(12_000);
  });
});

describe("permissions", () => {
  const refused = { outcome: "selected", optionId: "no" };
  const once = { outcome: "selected", optionId: "yes" };

  async function outcomes(flags: readonly string[], ...commands: readonly string[]) {
    const talked = await talk(["asks", ...commands], flags);
    return {
      talked,
      given: textOf(talked)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    };
  }

  test("by default no one decides: denied, and the run is blocked", { timeout: LONG_MS }, async () => {
    const { talked, given } = await outcomes([], "make");
    expect(given).toEqual([refused]);
    expect([talked.code, ...statusOf(talked)]).toEqual([1, "blocked", "permission-refused"]);
    expect(decisionsOf(talked)).toEqual([["c0", "deny", "permissions default"]]);
    expect(talked.log.find(({ type }) => type === "permission-decision")?.["provenance"]).toBe("observed");
    expect(talked.log).toContainEqual(expect.objectContaining({ type: "permission-request", callId: "c0" }));
  });

  test("full allows, once", { timeout: LONG_MS }, async () => {
    const { talked, given } = await outcomes(["--permissions", "full"], "make", "rm -r x");
    expect(given).toEqual([once, once]);
    expect(statusOf(talked)).toEqual(["completed", "end_turn"]);
    expect(decisionsOf(talked)).toHaveLength(2); // and none derived from the results
  });

  test("read-only allows calls that read, by what they do and not by their name", { timeout: LONG_MS }, async () => {
    const { given } = await outcomes(["--permissions", "read-only"], "cat a.txt", "make", "read=rm -r x", "fetch=", "think=");
    expect(given).toEqual([once, refused, refused, refused, once]);
  });

  test("rules: deny wins, and allow does not extend beyond its command", { timeout: LONG_MS }, async () => {
    const flags = ["--allow", "git *", "--allow", "make", "--deny", "*push*", "--deny", "rm *"];
    const commands = ["git log", "git push", "git log; rm -r .", "make", "make; curl x", "cd a && rm -r b"];
    const { talked, given } = await outcomes(flags, ...commands);
    expect(given).toEqual([once, refused, refused, once, refused, refused]);
    expect(decisionsOf(talked).map((decision) => (decision as unknown[])[2])).toEqual([
      "allow git *",
      "deny *push*",
      "deny rm *",
      "allow make",
      "permissions default",
      "deny rm *",
    ]);
  });

  test("a rule by tool or kind", { timeout: LONG_MS }, async () => {
    expect((await outcomes(["--allow", "Bash"], "make")).given).toEqual([once]);
    expect((await outcomes(["--permissions", "full", "--deny", "exec*"], "make")).given).toEqual([refused]);
  });

  test("with rules, an agent is put into a mode in which it asks", { timeout: LONG_MS }, async () => {
    expect(textOf(await talk(["behaves", "modes"], ["--allow", "x"]))).toContain("Mode approve.");
    expect(textOf(await talk(["behaves", "modes"], ["--permissions", "read-only"]))).toContain("Mode approve.");
    expect(textOf(await talk(["behaves", "modes"], ["--permissions", "full"]))).toBe("Done.");
  });

  test("without an offered option, nothing is allowed", { timeout: LONG_MS }, async () => {
    const talked = await talk(["offers-nothing"], ["--permissions", "full"]);
    expect(decisionsOf(talked)).toEqual([["c0", "deny", expect.stringContaining("no option to allow")]]);
  });

  test("a turn that the agent ends after a denial is blocked, not canceled", { timeout: LONG_MS }, async () => {
    expect(statusOf(await talk(["asks-and-stops"]))).toEqual(["blocked", "permission-refused"]);
  });
});
