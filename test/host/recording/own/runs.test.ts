import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { RunManifest } from "../../../../src/host/recording/format/run-manifest.ts";
import { ROOT } from "../../../support/harness.ts";
import { jsonLines, LONG_MS, type Place, place, cleanUp as removePlaces } from "../../../support/place.ts";
import { cleanUp, directory, file, schema } from "./support.ts";

/** User-defined agents through the built program: run, recorded, read again, and never run because a stranger's recording says so. */

afterAll(() => {
  cleanUp();
  removePlaces();
});

const EXAMPLES = join(ROOT, "docs/examples");

/** A program that prints the example's output, whatever the prompt. */
function parrot(): string {
  const path = join(directory(), "parrot");
  writeFileSync(path, `#!/bin/sh\ncat ${join(EXAMPLES, "parrot.jsonl")}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A copy of the example that may be changed; it writes `mark` whenever it runs. */
function ownModule(mark?: string): string {
  const text = readFileSync(join(EXAMPLES, "parrot.mjs"), "utf8");
  const marking = mark === undefined ? "" : `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(mark)}, "x");\n`;
  return file("parrot.mjs", marking + text);
}

const types = (text: string) => jsonLines(text).map(({ type }) => type);
const LIVE = ["agent", "command", "unknown"];

/** Rewrites the manifest of the only run. */
function rewrite(here: Place, change: (manifest: RunManifest) => object, at = here.recording().directory): void {
  const path = join(at, "run.json");
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")))));
}

/** As if its recorder had died. */
function unsealed({ sealed: _1, digest: _2, ...manifest }: RunManifest): RunManifest {
  return manifest;
}

describe("a module", { timeout: 4 * LONG_MS }, () => {
  test("is run, recorded with its file, and later read without being named", async () => {
    const here = place();
    const path = ownModule();
    const live = await here.run(["--agent", path, "--binary", parrot(), "--view", "activity"]);
    expect({ code: live.code, stderr: live.stderr }).toEqual({ code: 0, stderr: "" });
    expect(types(live.stdout)).toEqual(LIVE);
    const { manifest, sealed } = here.recording();
    expect(manifest).toMatchObject({
      agent: "parrot",
      agentFile: { kind: "module", path, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(sealed).toMatchObject({
      status: "completed",
      sessionId: "s-1",
      model: "macaw-2",
      usage: { input: 120, output: 17, reasoning: null },
    });
    expect((await here.harness(["derive", "last"])).stdout).toBe(live.stdout);
    expect((await here.harness(["replay", "last", "--speed", "max", "--view", "activity"])).stdout).toBe(live.stdout);
    expect((await here.harness(["sessions", "verify", "last"])).code).toBe(0);
    expect(jsonLines((await here.harness(["sessions", "list", "--agent", "parrot"])).stdout)).toHaveLength(1);
  });

  test("that has changed or is gone is reported; the user chooses who reads the run, and its views stay", async () => {
    const here = place();
    const path = ownModule();
    await here.run(["--agent", path, "--binary", parrot()]);
    const before = here.recording().activity;
    writeFileSync(path, `${readFileSync(path, "utf8")}// changed\n`);
    for (const [why, change] of [
      ["which has changed since", () => {}],
      ["which can no longer be read", () => rmSync(path)],
    ] as const) {
      change();
      const { code, stdout, stderr } = await here.harness(["derive", "last"]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        new RegExp(`^harness: The run \\S+ was recorded with the agent in ${path}, ${why}\\. Its stored views are unchanged\\. .+\n$`),
      );
    }
    expect(types((await here.harness(["derive", "last", "--agent", "generic"])).stdout)).toEqual(Array(7).fill("unknown"));
    const again = join(EXAMPLES, "parrot.mjs");
    expect(types((await here.harness(["derive", "last", "--agent", again])).stdout)).toEqual(LIVE);
    expect((await here.harness(["sessions", "verify", "last", "--agent", again])).code).toBe(0);
    expect(types((await here.harness(["replay", "last", "--agent", again, "--speed", "max", "--view", "activity"])).stdout)).toEqual(LIVE);
    expect(here.recording().activity).toEqual(before);
  });

  test("named by a stranger's recording is not run, wherever the recording is", async () => {
    const [theirs, ours] = [place(), place()];
    const mark = join(directory(), "mark");
    const path = ownModule(mark);
    await theirs.run(["--agent", path, "--binary", parrot()]);
    const { directory: run, id } = theirs.recording();
    const copy = join(ours.runs, id);
    mkdirSync(ours.runs, { recursive: true, mode: 0o700 });
    cpSync(run, copy, { recursive: true });
    cpSync(theirs.sessions, ours.sessions, { recursive: true });
    const times = readFileSync(mark, "utf8").length;
    for (const args of [
      ["derive", run],
      ["derive", copy],
      ["derive", "last"],
      ["replay", "last"],
      ["sessions", "verify", "last"],
    ]) {
      const { code, stderr } = await ours.harness(args);
      expect(code, args.join(" ")).toBe(2);
      expect(stderr).toContain("a program that you have not run here yourself");
    }
    // Not even to finish it: it stays unchanged, and can be read.
    rewrite(ours, unsealed, copy);
    const listed = await ours.harness(["sessions", "list"]);
    expect(jsonLines(listed.stdout)).toMatchObject([{ id, status: "unfinished" }]);
    expect(listed.stderr).toContain("a program that you have not run here yourself");
    expect(readFileSync(mark, "utf8")).toHaveLength(times);
    // The user may run it.
    expect(types((await ours.harness(["derive", run, "--agent", path])).stdout)).toEqual(LIVE);
    expect(readFileSync(mark, "utf8").length).toBeGreaterThan(times);
  });

  test("the list of modules run here is not read from next to the recording", async () => {
    const [theirs, ours] = [place(), place()];
    const path = ownModule();
    await theirs.run(["--agent", path, "--binary", parrot()]);
    expect(existsSync(join(theirs.root, "modules.jsonl"))).toBe(true);
    const { code } = await ours.harness(["derive", theirs.recording().directory]);
    expect(code).toBe(2);
  });

  test("finishes an unfinished run; without it, only the same agent named by the user does", async () => {
    const here = place();
    const path = ownModule();
    await here.run(["--agent", path, "--binary", parrot()]);
    rewrite(here, unsealed);
    expect(types((await here.harness(["derive", "last"])).stdout)).toEqual(LIVE);
    expect(here.recording().manifest).toMatchObject({ agentFile: { path }, sealed: { records: 8 } });
    rmSync(path);
    rewrite(here, unsealed);
    expect((await here.harness(["derive", "last"])).code).toBe(2);
    const looked = await here.harness(["derive", "last", "--agent", "generic"]);
    expect(looked.code).toBe(0);
    expect(types(looked.stdout).filter((type) => type === "unknown")).toHaveLength(7);
    expect(here.recording().sealed).toBeUndefined();
    const moved = ownModule();
    const { stderr } = await here.harness(["derive", "last", "--agent", moved]);
    expect(stderr).toContain("it has now been completed and sealed");
    expect(here.recording().manifest).toMatchObject({ agent: "parrot", agentFile: { kind: "module", path: moved } });
    expect((await here.harness(["sessions", "verify", "last"])).code).toBe(0);
  });

  test("that throws while reading: the run is complete, and one warning says so", async () => {
    const here = place();
    const path = file("a.mjs", readFileSync(ownModule(), "utf8").replace('case "says":', 'case "says": throw new Error("no luck");'));
    const { code, stdout } = await here.run(["--agent", path, "--binary", parrot(), "--view", "activity"]);
    expect(code).toBe(0);
    expect(types(stdout)).toEqual(["unknown", "warning", "command", "unknown"]);
    expect(jsonLines(stdout)[1]).toMatchObject({
      code: "agent-failed",
      message: `The agent in ${path} is not reliable: its push() failed: Error: no luck. Lines it cannot read become unknown.`,
    });
    expect((await here.harness(["sessions", "verify", "last"])).code).toBe(0);
  });

  test.each([
    ["agent.mjs", "export const agent = ;", /cannot be loaded: Unexpected token ';'\.$/],
    [
      "agent.wasm2",
      "",
      /Node cannot load a file with the extension of .+\. An agent is a module \(\.mjs, \.js\) or a schema \(\.json\)\.$/,
    ],
    ["agent.mjs", "process.exitCode = 9; throw new Error('early');", /cannot be loaded: early\.$/],
  ])("%s that cannot be loaded: %j", async (name, text, says) => {
    const here = place();
    const { code, stdout, stderr } = await here.run(["--agent", file(name, text)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trimEnd()).toMatch(says);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(here.recordings()).toEqual([]);
  });

  test("in TypeScript: loaded if Node can, otherwise a clear error", async () => {
    const here = place();
    const path = file("agent.ts", `${readFileSync(ownModule(), "utf8")}const x: number = 5;\n`);
    const { code, stderr } = await here.run(["--agent", path, "--binary", parrot()]);
    if (code === 0) return;
    expect(code).toBe(2);
    expect(stderr).toBe(
      `harness: Node ${process.version} cannot load TypeScript (${path}). Compile it to JavaScript, or use Node 22.18 or newer.\n`,
    );
  });
});

describe("a schema", { timeout: 4 * LONG_MS }, () => {
  test("is stored in the recording, which does not need the file; keys in it are masked", async () => {
    const here = place();
    const text = readFileSync(join(EXAMPLES, "parrot.json"), "utf8").replace('"--json"', '"--json", "--key=sesame-open-42"');
    const path = file("parrot.json", text);
    const live = await here.run(["--agent", path, "--binary", parrot(), "--view", "activity"], { env: { MY_API_KEY: "sesame-open-42" } });
    expect({ code: live.code, stderr: live.stderr }).toEqual({ code: 0, stderr: "" });
    rmSync(path);
    const { manifest, directory } = here.recording();
    expect(manifest).toMatchObject({ agent: "parrot-schema", agentFile: { kind: "schema", path, schema: { name: "parrot-schema" } } });
    expect(readFileSync(join(directory, "run.json"), "utf8")).not.toContain("sesame-open-42");
    expect((await here.harness(["derive", "last"])).stdout).toBe(live.stdout);
    expect((await here.harness(["sessions", "verify", "last"])).code).toBe(0);
    rewrite(here, unsealed);
    expect((await here.harness(["derive", "last"])).stdout).toBe(live.stdout);
    rewrite(here, ({ agentFile: _, ...rest }) => ({ ...rest, agentFile: { kind: "schema", path, sha256: "", schema: { version: 9 } } }));
    expect((await here.harness(["derive", "last"])).stderr).toContain(`The run's copy of the schema ${path} can no longer be read`);
  });

  test("its time limit applies, unless another one is set", async () => {
    const here = place();
    const path = file(
      "slow.json",
      JSON.stringify(schema({ command: ["sleep", "60"], prompt: { stdin: true }, output: { flag: "", value: "" }, timeout: 300 })),
    );
    expect((await here.run(["--agent", path])).code).toBe(124);
    expect(here.recording().sealed).toMatchObject({ status: "timed_out" });
  });

  test("a mistake gives one sentence", async () => {
    const { code, stderr } = await place().run(["--agent", file("x.json", JSON.stringify(schema({ sessionMode: "x" }), null, 1))]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^harness: \S+x\.json:8: sessionMode must be one of "stream", "iterative"; .+\n$/);
  });
});

describe("--like", { timeout: 4 * LONG_MS }, () => {
  const RAW = join(ROOT, "fixtures/opencode/apply-patch/raw.jsonl");

  test("reads a command's output in the format of a known agent, also later", async () => {
    const here = place();
    const live = await here.run(["--command", `cat ${RAW}`, "--like", "opencode", "--view", "activity"]);
    expect(live.code).toBe(0);
    const straight = await here.harness(["derive", RAW, "--agent", "opencode"]);
    expect(types(live.stdout)).toEqual(types(straight.stdout));
    expect(here.recording().manifest).toMatchObject({ agent: "generic", like: "opencode" });
    expect((await here.harness(["derive", "last"])).stdout).toBe(live.stdout);
    expect((await here.harness(["sessions", "verify", "last"])).code).toBe(0);
    rewrite(here, unsealed);
    expect((await here.harness(["derive", "last"])).stdout).toBe(live.stdout);
  });

  test.each(["claude", "native"])("like %s: still runs the given command, with none of that agent's flags", async (like) => {
    const here = place();
    const raw = join(ROOT, "fixtures", like, like === "native" ? "write-and-edit" : "full", "raw.jsonl");
    const live = await here.run(["--command", `cat ${raw}`, "--like", like, "--view", "decision"]);
    expect(live.code).toBe(0);
    const [first] = jsonLines(live.stdout);
    expect(first).toMatchObject({ observability_mode: "black_box", session: { agent_id: "generic" } });
    expect((await here.harness(["derive", "last", "--view", "decision"])).stdout).toBe(live.stdout);
  });

  test.each([
    [["--command", "true", "--like", "opncode"], 'There is no agent called "opncode". Did you mean opencode?'],
    [["--agent", "claude", "--like", "codex"], "--like is for your own commands; Claude Code is read in its own format."],
  ])("%j", async (args, says) => {
    const { code, stderr } = await place().run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });
});

describe("in the user's settings", { timeout: 4 * LONG_MS }, () => {
  test("a file gets a name, which a project may use; a broken one does not hide the others", async () => {
    const here = place();
    const config = join(here.root, "../config/harness");
    const project = directory();
    mkdirSync(config, { recursive: true });
    cpSync(join(EXAMPLES, "parrot.mjs"), join(config, "parrot.mjs"));
    writeFileSync(
      join(config, "harness.toml"),
      `[agents.parrot]\nfile = "parrot.mjs"\nbinary = "${parrot()}"\nmodel = "macaw-3"\n[agents.broken]\nfile = "no.mjs"\n`,
    );
    writeFileSync(join(project, "harness.toml"), 'agent = "parrot"\n');
    const { code, stderr } = await here.run([], { cwd: project });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(here.recording().manifest).toMatchObject({ agent: "parrot", command: { args: ["--json", "--model", "macaw-3"] } });
    const rows = jsonLines((await here.harness(["agents"])).stdout);
    expect(rows.find(({ id }) => id === "parrot")).toMatchObject({ title: "Parrot", file: join(config, "parrot.mjs") });
    expect(rows.find(({ id }) => id === "broken")).toMatchObject({ title: expect.stringContaining("there is no such file") });
    expect(rows.find(({ id }) => id === "claude")).toMatchObject({ file: null });
  });

  test.each([
    ['agent = "./evil.mjs"\n', 'agent must be the id of an agent; register a file with file = … in [agents.<id>], not "./evil.mjs".'],
    ['[agents.evil]\nfile = "./evil.mjs"\n', "A project's settings cannot set agents.evil.file: a module is a program."],
    ['[agents.claude]\nfile = "./evil.json"\n', "A project's settings cannot set agents.claude.file: a module is a program."],
  ])("a project cannot: %j", async (text, says) => {
    const project = directory();
    const mark = join(project, "mark");
    cpSync(ownModule(mark), join(project, "evil.mjs"));
    writeFileSync(join(project, "harness.toml"), text);
    const here = place();
    for (const args of [["run", "--prompt", "x"], ["agents"]]) {
      const { code, stderr } = await here.harness(args, { cwd: project });
      expect(code).toBe(2);
      expect(stderr).toContain(says);
    }
    expect(existsSync(mark)).toBe(false);
  });
});
