import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { CHAIN_START, chainedLine } from "../../../src/host/recording/format/index.ts";
import { recorded } from "../../../src/host/sink/index.ts";
import { agent, cleanUp, LONG_MS, type Place, place } from "../../support/place.ts";

afterAll(cleanUp);

const ANSWERS = ["write notes.txt first", "write notes.txt second", "write other.txt third", "Done."];
/** A secret in every request. */
const SECRET = ["--env", "MORE= canary-of-a-rerun", "--secret", "MORE"];
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A model that gives these answers in turn. `hold`: the first waits until the second was asked. */
async function model(answers: readonly string[], hold = false): Promise<{ url: string; close: () => Promise<void> }> {
  let asked = 0;
  let release = () => {};
  const second = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer((request, response) => {
    const number = ++asked;
    if (number === 2) release();
    const answer = () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content: answers[number - 1] } }] }));
    };
    request.resume().on("end", () => void (hold && number === 1 ? second : Promise.resolve()).then(answer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}

function program(url: string): readonly string[] {
  const line = `${process.execPath} ${agent("works-with-a-model.mjs")} {prompt}`;
  return ["--command", line, "--env", `MODEL=${url}`, "--model-url", url];
}

/** Records a run in a workspace with one file. Its model is gone afterwards. */
async function recordedRun(
  where: Place,
  answers: readonly string[],
  task = "work",
  level = "none",
  hold = false,
  more: readonly string[] = [],
) {
  const { url, close } = await model(answers, hold);
  const start = join(where.root, "../start");
  mkdirSync(start, { recursive: true });
  writeFileSync(join(start, "README.md"), "Hello.\n");
  const out = join(where.root, "../observed");
  const args = ["observe", "--wire", "--isolate", level, "--workspace", start, "--out", out, "--prompt", task, ...program(url), ...more];
  const { code, stderr } = await where.harness(args);
  expect([code, stderr]).toEqual([0, expect.stringContaining("observed as")]);
  await close();
  const [run] = where.recordings();
  return { url, directory: run?.directory ?? "", again: ["rerun", run?.id ?? "", "--isolate", level, ...program(url)] };
}

async function result(where: Place, args: readonly string[]) {
  const { code, stdout, stderr } = await where.harness([...args, "--json"]);
  expect(stdout, stderr).not.toBe("");
  return { code, stderr, ...JSON.parse(stdout) };
}

test("a run is repeated without its model: every request, every file", { timeout: 2 * LONG_MS }, async () => {
  const where = place();
  const { again } = await recordedRun(where, ANSWERS, "work", "none", false, SECRET);
  for (const speed of ["max", "recorded"]) {
    const found = await result(where, [...again, ...SECRET, "--speed", speed]);
    expect(found).toMatchObject({
      code: 0,
      exact: true,
      requests: { recorded: 4, asked: 4, equal: 4, live: 0 },
      divergence: null,
      files: { equal: true },
      said: true,
      status: { recorded: "completed", now: "completed" },
    });
  }
  expect(spawnSync("grep", ["-rlF", "canary-of-a-rerun", where.root], { encoding: "utf8" }).stdout).toBe("");
});

const hasWalls = process.platform === "linux" && spawnSync("bwrap", ["--ro-bind", "/", "/", "true"]).status === 0;

test.skipIf(!hasWalls)("sealed, the copy has the path of the recorded workspace", { timeout: 2 * LONG_MS }, async () => {
  const where = place();
  const { again } = await recordedRun(where, ["write notes.txt here", "Done."], "work", "sealed");
  const path = join(where.root, "../observed/workspace/notes.txt");
  const before = readFileSync(path, "utf8");
  writeFileSync(path, "changed since\n");
  expect(await result(where, again)).toMatchObject({ exact: true, requests: { equal: 2 }, files: { equal: true } });
  expect([before, readFileSync(path, "utf8")]).toEqual(["here\n", "changed since\n"]);
});

test("a request that differs ends a strict rerun, with the difference; a lenient one continues", { timeout: 2 * LONG_MS }, async () => {
  const where = place();
  const { again } = await recordedRun(where, ANSWERS);
  const changed = [...again, "--env", "LATER= please"];
  const strict = await result(where, changed);
  expect(strict).toMatchObject({
    code: 1,
    exact: false,
    requests: { equal: 2, asked: 3 },
    divergence: { request: 3, recorded: 3, kind: "differs" },
  });
  expect(strict.divergence.diff).toEqual([
    { side: "recorded", text: 'messages.4.content: "Next."' },
    { side: "now", text: 'messages.4.content: "Next please."' },
  ]);
  const lenient = await result(where, [...changed, "--lenient"]);
  expect(lenient).toMatchObject({
    code: 1,
    exact: false,
    requests: { equal: 2, asked: 4 },
    divergence: { request: 3 },
    files: { equal: true },
  });
});

test("a request too many is a miss, and one that never came is missing", { timeout: 2 * LONG_MS }, async () => {
  const where = place();
  const { again, directory } = await recordedRun(where, ["write a.txt 1", "Done."]);
  rewrite(directory, 2, (text) => text.replace("Done.", "Gone."));
  const more = await result(where, [...again, "--lenient"]);
  expect(more).toMatchObject({
    exact: false,
    requests: { recorded: 2, asked: 3, equal: 2 },
    divergence: { request: 3, recorded: null, kind: "extra" },
  });
  rewrite(directory, 1, (text) => text.replace("write a.txt 1", "Done early"));
  expect(await result(where, again)).toMatchObject({ exact: false, divergence: { request: null, recorded: 2, kind: "missing" } });
});

test("a changed byte of any answer is reported at its request", { timeout: 4 * LONG_MS }, async () => {
  const where = place();
  const { again, directory } = await recordedRun(where, ANSWERS);
  const file = join(directory, "wire.jsonl");
  const [wire, manifest] = [readFileSync(file, "utf8"), readFileSync(join(directory, "run.json"), "utf8")];
  for (const [i, answer] of ANSWERS.entries()) {
    const call = i + 1;
    const changed = answer.replace(/.$/, "!");
    writeFileSync(file, wire.replace(JSON.stringify(answer).slice(1, -1), changed));
    const { code, stderr } = await where.harness(again);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`the answer to request ${call} (wire.jsonl, line `)]);
    writeFileSync(file, wire);
    rewrite(directory, call, (text) => text.replace(answer, changed)); // by one who also knows how to seal
    const found = await result(where, again);
    const isLast = call === ANSWERS.length;
    expect([call, found.exact, found.said]).toEqual([call, false, false]);
    if (!isLast) expect(found.divergence).toMatchObject({ request: call + 1, recorded: call + 1, kind: "differs" });
    if (!isLast) expect(found.divergence.diff[1]).toMatchObject({ side: "now", text: expect.stringContaining(`${changed}"`) });
    writeFileSync(file, wire);
    writeFileSync(join(directory, "run.json"), manifest);
  }
});

test("two equal questions at the same time keep their own answers", { timeout: 2 * LONG_MS }, async () => {
  const where = place();
  const { again } = await recordedRun(where, ["Red", "Blue", "Done."], "twins", "none", true);
  for (let i = 0; i < 3; i++) expect(await result(where, again)).toMatchObject({ exact: true, requests: { recorded: 3, equal: 3 } });
});

test("from a turn on, the agent's own model answers", { timeout: 2 * LONG_MS }, async () => {
  const where = place();
  const { again } = await recordedRun(where, ["write a.txt 1", "write b.txt 2", "Done."]);
  const { url } = await model(["write c.txt live", "Done live."]);
  const args = [...again.slice(0, 4), ...program(url), "--from", "2"];
  const found = await result(where, args);
  expect(found).toMatchObject({ code: 0, divergence: null, requests: { recorded: 3, asked: 3, equal: 1, live: 2 } });
  expect(found.files.differing).toEqual(expect.arrayContaining(["b.txt", "c.txt"]));
  const late = await where.harness([...again, "--from", "9"]);
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining("3 requests")]);
});

test("the recording chooses no program, and what cannot be run again is rejected", { timeout: 2 * LONG_MS }, async () => {
  const where = place();
  const { again, url, directory } = await recordedRun(where, ["Done."]);
  const text = readFileSync(join(directory, "run.json"), "utf8");
  const evil = JSON.parse(text);
  evil.command = { ...evil.command, binary: "/bin/false", args: [] };
  writeFileSync(join(directory, "run.json"), JSON.stringify(evil));
  expect(await result(where, again)).toMatchObject({ exact: true });
  writeFileSync(join(directory, "run.json"), text);
  const id = again[1] ?? "";
  const none = await where.harness(["rerun", id, "--isolate", "none", "--model-url", url]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("has no default program")]);
  await where.harness(["run", "--command", "echo {prompt}", "--prompt", "Go."]);
  const unwired = await where.harness(["rerun", "last", "--command", "echo {prompt}"]);
  expect([unwired.code, unwired.stderr]).toEqual([2, expect.stringMatching(/requests were not recorded.*--wire/)]);
});

/** Changes an answer, and seals the file again. */
function rewrite(directory: string, call: number, change: (text: string) => string): void {
  const file = join(directory, "wire.jsonl");
  let head = CHAIN_START;
  const lines = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line, i) => {
      const { seq: _, hash: __, ...body } = JSON.parse(line);
      if (body.type === "chunk" && body.call === call) body.text = change(body.text);
      const made = chainedLine(i + 1, JSON.stringify(recorded(body)) as never, head);
      head = made.hash;
      return made.text;
    });
  const text = lines.join("");
  writeFileSync(file, text);
  const manifest = JSON.parse(readFileSync(join(directory, "run.json"), "utf8"));
  manifest.sealed.files["wire.jsonl"] = { bytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") };
  writeFileSync(join(directory, "run.json"), JSON.stringify(manifest));
}
