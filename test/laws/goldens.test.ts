import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agents } from "../../src/pure/agents/agents.ts";
import { views } from "../../src/pure/views/views.ts";
import { FIXTURES } from "../support/fixtures.ts";
import {
  filesBelow,
  type Golden,
  lineOf,
  linesOfList,
  loadGoldens,
  nameOf,
  shownIn,
  textOf,
  unreadFiles,
  unreadLines,
  writeGoldens,
} from "../support/goldens.ts";

const goldens = loadGoldens();
const names = new Set(goldens.map(({ fixture }) => fixture.name));
const lists = new Map(Object.keys(agents).map((id) => [id, linesOfList(id)]));
const lines = new Set([...lists.values()].flat());

describe("goldens", () => {
  test("every agent has fixtures", () => {
    const withFixtures = new Set(goldens.map(({ fixture }) => fixture.agent.id));
    const formats = Object.keys(agents).filter((id) => !id.endsWith("-acp")); // those are read like acp
    expect([...withFixtures].sort()).toEqual(formats.sort());
  });

  test.for(goldens.map((golden) => [nameOf(golden), golden] as const))("%s", ([name, golden]) => {
    if (golden.file !== undefined) checkFile(golden, golden.file);
    else checkLine(name, golden);
  });
});

function checkFile(golden: Golden, file: string): void {
  const path = join(FIXTURES, file);
  expect(existsSync(path), `golden ${file} is missing: run npm run goldens and read the new file`).toBe(true);
  expect(textOf(golden)).toBe(readFileSync(path, "utf8"));
}

function checkLine(name: string, golden: Golden): void {
  const text = textOf(golden);
  const line = lineOf(golden, text);
  if (lines.has(line)) return;
  const beginning = text.split("\n", 4).map((record) => record.slice(0, 300));
  expect.fail(
    `fixtures/${golden.fixture.agent.id}/goldens.txt has no line ${line}: the output is new or has changed. It begins\n\n` +
      `${beginning.join("\n")}\n\nCompare the output with and without your change: npm run goldens -- --show ${name}\n` +
      "If you meant to change it: npm run goldens",
  );
}

describe("everything in fixtures/ is read", () => {
  test("every file", () => {
    expect(filesBelow().length).toBeGreaterThan(4 * names.size);
    expect(unreadFiles(filesBelow(), goldens)).toEqual([]);
  });

  test.each([...lists])("every line of the list of %s", (id, own) => {
    const wanted = goldens.filter(({ fixture }) => fixture.agent.id === id);
    expect(unreadLines(own, wanted)).toEqual([]);
  });

  test("every fixture that the page says is shown in full", () => {
    const shown = shownIn(readFileSync(join(FIXTURES, "README.md"), "utf8"));
    expect(shown.length).toBeGreaterThan(24);
    expect(shown.filter((name, at) => !names.has(name) || shown.indexOf(name) !== at)).toEqual([]);
  });

  test("finds an extra file: a golden of a fixture that is not shown, a note, a fixture without an agent", () => {
    const hashed = goldens.find(({ file }) => file === undefined)?.fixture.name;
    const extra = [`${hashed}/decision.jsonl`, `${hashed}/notes.txt`, "stranger/full/meta.json", "stranger/goldens.txt"];
    expect(unreadFiles([`${hashed}/raw.jsonl`, ...extra, "codex/goldens.txt"], goldens)).toEqual(extra);
  });

  test("finds an extra line: an unknown view or fixture, one that is shown in full, a duplicate", () => {
    const own = goldens.filter(({ fixture }) => fixture.agent.id === "claude");
    const line = "0123456789abcdef  claude/err-401 stream";
    const extra = ["claude/full stream", "claude/nothing stream", "claude/err-401 nothing"].map((name) => `0123456789abcdef  ${name}`);
    expect(unreadLines([line, ...extra, line], own)).toEqual([...extra, line]);
  });
});

describe("npm run goldens", () => {
  test("writes files and hashes, removes stale goldens, and lists other files that no test reads", () => {
    const root = mkdtempSync(join(tmpdir(), "harness-goldens-"));
    try {
      for (const name of ["codex/one-turn", "codex/plan-tool"]) cpSync(join(FIXTURES, name), join(root, name), { recursive: true });
      writeFileSync(join(root, "README.md"), "- `codex/plan-tool`: a plan\n");
      writeFileSync(join(root, "codex/one-turn/stream.jsonl"), "");
      writeFileSync(join(root, "codex/one-turn/notes.txt"), "");
      rmSync(join(root, "codex/one-turn/log.jsonl"));
      expect(writeGoldens(root)).toEqual(["codex/one-turn/notes.txt"]);

      const written = loadGoldens(root);
      expect(unreadFiles(filesBelow(root), written)).toEqual(["codex/one-turn/notes.txt"]);
      expect(linesOfList("codex", root)).toEqual(written.flatMap((one) => (one.file === undefined ? lineOf(one, textOf(one)) : [])));
      const inFull = written.filter(({ file }) => file !== undefined);
      expect(inFull.length).toBe(Object.keys(views).length + 2);
      for (const one of inFull) expect(readFileSync(join(root, one.file ?? ""), "utf8")).toBe(textOf(one));
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/goldens.mjs", ...args], { cwd: join(FIXTURES, ".."), encoding: "utf8" });

  test("--show prints the output behind a hash", () => {
    const golden = goldens.find((one) => nameOf(one) === "codex/one-turn stream");
    const { status, stdout } = run("--show", "codex/one-turn", "stream");
    expect([status, golden?.file, golden && lines.has(lineOf(golden, stdout))]).toEqual([0, undefined, true]);
  });

  test.each([
    [["--show", "claude/ful", "stream"], "Unknown fixture claude/ful. The nearest are claude/full, "],
    [["--show", "claude/full", "streams"], "Unknown view streams. Known: activity, capture, "],
    [["--show", "claude/full"], "--show takes a fixture and a view: "],
    [["--shwo"], "The only option is --show: "],
  ])("%j is rejected in one sentence, with exit code 2", (args, sentence) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout, stderr.split("\n").length]).toEqual([2, "", 2]);
    expect(stderr).toContain(`goldens: ${sentence}`);
  });
});
