import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { derive } from "../../../src/index.ts";
import { verify } from "../../../src/observe.ts";
import { type Imported, importSessions } from "../../../src/work/history/index.ts";
import { cleanUp, place } from "../../support/place.ts";
import { copyHome, type StoredRun, storedRun, storedRuns } from "./stores.ts";

const here = place();
afterAll(cleanUp);

let count = 0;

/** A new data directory and a new home for every import. */
function fresh(run?: StoredRun): { readonly data: string; readonly home: string } {
  const root = join(here.root, `import-${count++}`);
  mkdirSync(root, { recursive: true });
  const home = join(root, "home");
  if (run === undefined) mkdirSync(home);
  else copyHome(run, home);
  return { data: join(root, "data"), home };
}

async function imported({ data, home }: { readonly data: string; readonly home: string }, more = {}): Promise<readonly Imported[]> {
  const all: Imported[] = [];
  for await (const session of importSessions({ dataDirectory: data, home, environment: {}, ...more })) all.push(session);
  return all;
}

async function collect<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}

interface Activity {
  readonly type: string;
  readonly subagentId?: string;
  readonly [field: string]: unknown;
}

const OPERATIONS = new Set(["read", "write", "search", "list", "command", "skill"]);
const SHOWN = ["type", "path", "command", "query", "name", "startLine", "endLine"];

/** What the main thread did. A CLI that runs calls in parallel prints them as they end, and stores them as they were asked for. */
function operations(records: readonly Activity[], isParallel: boolean): readonly string[] {
  const done = records.filter(({ type, subagentId }) => OPERATIONS.has(type) && subagentId === undefined);
  const shown = done.map((record) => JSON.stringify(SHOWN.map((field) => record[field])));
  return isParallel ? [...shown].sort() : shown;
}

function subagents(records: readonly Activity[]): ReadonlySet<string> {
  return new Set(records.flatMap(({ subagentId }) => subagentId ?? []));
}

function fileNames(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** What must not change about a store: contents, times, inodes, names. */
function state(home: string): unknown {
  return fileNames(home).map((path) => {
    const { ino, mtimeMs, size, mode } = lstatSync(path);
    return { path, ino, mtimeMs, size, mode, text: readFileSync(path, "base64") };
  });
}

describe.each(storedRuns)("$name", (run) => {
  test("import and recording of one run show the same operations, and at least the same subagents", async () => {
    const at = fresh(run);
    const [session, ...others] = await imported(at);
    expect(others).toEqual([]);
    expect(session).toMatchObject({ agent: run.agent, state: "new" });
    const directory = join(at.data, "runs", session?.run ?? "");
    const stored = (await collect(derive(directory, { view: "activity" }))) as unknown as readonly Activity[];
    const printed = (await collect(
      derive(run.printed, { agent: run.agent, cwd: "/workspace", view: "activity" }),
    )) as unknown as readonly Activity[];
    const isParallel = run.agent === "pi";
    expect(operations(printed, isParallel).length + subagents(printed).size).toBeGreaterThan(0);
    expect(operations(stored, isParallel)).toEqual(operations(printed, isParallel));
    for (const id of subagents(printed)) expect([...subagents(stored)]).toContain(id);
  });

  test("usage is at least what the recording shows, and what the model served where that is known", async () => {
    const at = fresh(run);
    const [session] = await imported(at);
    const [result] = await collect(derive(join(at.data, "runs", session?.run ?? ""), { view: "result" }));
    const used = (result?.partialUsage?.tokens ?? result?.usage) as Readonly<Record<string, number | null>> | undefined;
    expect([result?.status, result?.unknown]).toEqual(["completed", 0]);
    expect(used?.["input"]).toBeGreaterThan(0);
    if (run.served === undefined || used === undefined) return;
    const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = run.served;
    expect(used["cacheRead"]).toBe(cacheRead);
    expect((used["input"] ?? 0) + (used["cacheWrite"] ?? 0)).toBe(run.agent === "gemini" ? input : input + cacheWrite);
    expect([output, output + (used["reasoning"] ?? 0)]).toContain((used["output"] ?? 0) + (used["reasoning"] ?? 0));
  });

  test("the recording is sealed, verified, marked as imported, and derives the same again", async () => {
    const at = fresh(run);
    const before = state(at.home);
    const [session] = await imported(at);
    expect(state(at.home)).toEqual(before);
    const directory = join(at.data, "runs", session?.run ?? "");
    expect((await verify(directory)).flaws).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(directory, "run.json"), "utf8"));
    expect(manifest).toMatchObject({ agent: run.agent, like: `${run.agent}-store`, tags: ["imported"], cwd: "/workspace" });
    expect(manifest.origin.about.unknown).toContain("exit");
    expect(manifest.sealed.exitCode).toBeNull();
    const kept = readFileSync(join(directory, "raw.jsonl"), "utf8");
    for (const path of fileNames(at.home).filter((name) => name.endsWith(".jsonl")))
      for (const line of readFileSync(path, "utf8").split("\n")) expect(kept).toContain(line);
    const again = await collect(derive(join(directory, "raw.jsonl"), { agent: `${run.agent}-store`, view: "activity" }));
    expect(again.length).toBeGreaterThan(0);
  });

  test("importing again adds nothing", async () => {
    const at = fresh(run);
    const [first] = await imported(at);
    expect(await imported(at)).toEqual([{ ...first, state: "unchanged" }]);
    expect(readdirSync(join(at.data, "runs")).length).toBe(1);
  });
});

function mainFile(home: string): string {
  const [found] = fileNames(home).filter((path) => path.endsWith(".jsonl") && !path.includes("subagents"));
  if (found === undefined) throw new Error("no session");
  return found;
}

describe("a session that changed", () => {
  const run = storedRun("pi/mix");
  const line =
    '{"type":"message","id":"zz","parentId":"a26b21d2","timestamp":"2026-11-16T00:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"And now?"}]}}\n';

  test("becomes a new generation that names the one it extends", async () => {
    const at = fresh(run);
    const [first] = await imported(at);
    appendFileSync(mainFile(at.home), line);
    const [second] = await imported(at);
    expect(second).toMatchObject({ state: "grown", before: first?.run, run: `${first?.run}-2` });
    const { origin } = JSON.parse(readFileSync(join(at.data, "runs", `${second?.run}`, "run.json"), "utf8"));
    expect(origin.about.extends).toBe(first?.run);
    expect((await imported(at))[0]).toMatchObject({ state: "unchanged", run: second?.run });
  });

  test("is kept next to the old one if it was rewritten", async () => {
    const at = fresh(run);
    const [first] = await imported(at);
    const file = mainFile(at.home);
    writeFileSync(file, readFileSync(file, "utf8").replace("Starting", "Changing"));
    expect((await imported(at))[0]).toMatchObject({ state: "rewritten", before: first?.run });
    expect(readdirSync(join(at.data, "runs")).length).toBe(2);
  });

  test("is read up to its last complete line while its CLI writes", async () => {
    const at = fresh(run);
    appendFileSync(mainFile(at.home), line.slice(0, 40));
    const [first] = await imported(at);
    expect(first?.state).toBe("new");
    expect((await imported(at))[0]?.state).toBe("unchanged");
    appendFileSync(mainFile(at.home), line.slice(40));
    expect((await imported(at))[0]?.state).toBe("grown");
  });

  test("is imported again if the last import was killed", async () => {
    const at = fresh(run);
    const [first] = await imported(at);
    const path = join(at.data, "runs", `${first?.run}`, "run.json");
    const { sealed: _, digest: __, ...killed } = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify(killed));
    expect((await imported(at))[0]).toMatchObject({ state: "rewritten", before: first?.run });
  });
});

describe("a store that is not as expected", () => {
  test("a link is not followed, neither as a file nor as a folder", async () => {
    const at = fresh();
    const outside = fresh(storedRun("pi/mix"));
    const folder = join(at.home, ".pi/agent/sessions");
    mkdirSync(join(folder, "--workspace--"), { recursive: true });
    symlinkSync(mainFile(outside.home), join(folder, "--workspace--", "2026_01a1e188.jsonl"));
    symlinkSync(join(outside.home, ".pi/agent/sessions/--workspace--"), join(folder, "--linked--"));
    const found = await imported(at);
    expect(found.map(({ state }) => state)).not.toContain("new");
    expect(found.find(({ session }) => session.endsWith("2026_01a1e188.jsonl"))).toMatchObject({ state: "failed" });
  });

  test.each([
    "",
    "\n",
    "{",
    "null\n",
    "[]\n{}\n",
    "\u0000\n",
    '{"type":"session"}\n',
    '{"type":"session","id":"x"}\n{"type":"message"}\n',
    `${"{".repeat(5000)}\n`,
  ])("a file with %j fails alone or is imported; the others are not touched by it", async (text) => {
    const at = fresh(storedRun("pi/mix"));
    writeFileSync(join(at.home, ".pi/agent/sessions/--workspace--/2026-01-01_odd.jsonl"), text);
    const states = (await imported(at)).map(({ session, state }) => [session, state]);
    expect(states).toContainEqual(["01a1e188-73b0-71e6-81b3-4c443b1299ea", "new"]);
  });

  test("every cut of a session is imported without an exception", async () => {
    for (const name of ["claude/subagent-background", "codex/subagent-collab", "gemini/subagent", "pi/mix"]) {
      const run = storedRun(name);
      const size = lstatSync(mainFile(run.home)).size;
      for (const part of [0.2, 0.5, 0.9]) {
        const at = fresh(run);
        truncateSync(mainFile(at.home), Math.floor(size * part));
        for (const { state, reason } of await imported(at)) expect([state, reason]).toEqual(["new", undefined]);
      }
    }
  });

  test("sessions are chosen by agent, directory and time", async () => {
    const at = fresh(storedRun("codex/mix"));
    copyHome(storedRun("pi/mix"), join(at.home, "other"));
    expect((await imported(at, { agents: ["pi"], dryRun: true })).length).toBe(0);
    expect((await imported(at, { agents: ["codex"], dryRun: true })).map(({ state }) => state)).toEqual(["found"]);
    expect((await imported(at, { project: "/elsewhere", dryRun: true })).length).toBe(0);
    expect((await imported(at, { project: "/", dryRun: true })).length).toBe(1);
    expect((await imported(at, { since: Date.now() + 60_000, dryRun: true })).length).toBe(0);
    const paths = [join(at.home, "other/.pi/agent/sessions/--workspace--")];
    expect((await imported(at, { paths, dryRun: true })).map(({ agent }) => agent)).toEqual(["pi"]);
    rmSync(join(at.home, "other"), { recursive: true });
    await expect(imported(at, { agents: ["nope"] })).rejects.toThrow("nope");
  });
});

describe("a path", () => {
  test("a single file is its session, with the subagents, and the same run as an import of the store", async () => {
    for (const run of storedRuns) {
      const at = fresh(run);
      const all = await imported(at);
      for (const path of fileNames(at.home).filter((name) => !/-(wal|shm)$/.test(name))) {
        const found = await imported(at, { paths: [path] });
        const expected = all.map(({ run: id }) => [id, "unchanged"]);
        if (/\.(jsonl|db)$/.test(path)) expect([path, found.map(({ run: id, state }) => [id, state])]).toEqual([path, expected]);
      }
    }
  });

  test("a file that was copied out of its store is a session of one agent", async () => {
    for (const name of ["claude/mix", "codex/mix", "pi/mix"]) {
      const at = fresh(storedRun(name));
      const [path = ""] = fileNames(at.home);
      const copy = join(at.home, "projects/a/b", basename(path));
      mkdirSync(dirname(copy), { recursive: true });
      renameSync(path, copy);
      expect((await imported(at, { paths: [copy] })).map(({ agent, state }) => `${agent}/${state}`)).toEqual([`${name.split("/")[0]}/new`]);
      expect(await imported(at, { paths: [copy], agents: ["goose"] })).toEqual([]);
    }
  });

  test("a folder above several homes, a folder of a store, and a renamed copy are searched", async () => {
    const at = fresh();
    const names = ["claude/mix", "codex/mix", "gemini/mix", "pi/mix", "cline/mix"];
    for (const name of names) copyHome(storedRun(name), join(at.home, name));
    const found = async (path: string) => (await imported(at, { paths: [join(at.home, path)], dryRun: true })).map(({ agent }) => agent);
    expect([...(await found("."))].sort()).toEqual(["claude", "cline", "codex", "gemini", "pi"]);
    for (const name of names) expect(await found(`${name}/.${name.split("/")[0]}`)).toEqual([name.split("/")[0]]);
    renameSync(join(at.home, "claude/mix/.claude"), join(at.home, "claude/mix/backup"));
    for (const path of ["claude", "claude/mix/backup", "claude/mix/backup/projects"]) expect(await found(path)).toEqual(["claude"]);
    const [project = ""] = readdirSync(join(at.home, "claude/mix/backup/projects"));
    renameSync(join(at.home, "claude/mix/backup/projects", project), join(at.home, "only"));
    expect(await found("only")).toEqual(["claude"]);
  });

  test("a folder of an agent whose sessions are not read is reported", async () => {
    const at = fresh(storedRun("codex/mix"));
    mkdirSync(join(at.home, "old/.qwen/projects"), { recursive: true });
    const found = await imported(at, { paths: [at.home] });
    expect(found.map(({ agent, state, reason }) => [agent, state, reason])).toEqual([
      ["Qwen Code", "unsupported", "Sessions of Qwen Code are not read."],
      ["codex", "new", undefined],
    ]);
  });

  test("the session that changed last is recorded last", async () => {
    const at = fresh(storedRun("codex/mix"));
    copyHome(storedRun("pi/mix"), join(at.home, "other"));
    const [codex = "", pi = ""] = fileNames(at.home);
    utimesSync(pi, 1000, 1000);
    utimesSync(codex, 2000, 2000);
    expect((await imported(at, { paths: [codex, pi] })).map(({ agent }) => agent)).toEqual(["pi", "codex"]);
  });
});

describe("a store that is a database", () => {
  const file = (home: string) => join(home, ".local/share/opencode/opencode.db");

  test("rows that are only in the write-ahead log are imported, and nothing is created next to it", async () => {
    const at = fresh(storedRun("opencode/subagent"));
    const names = readdirSync(join(at.home, ".local/share/opencode"));
    const [whole] = await imported(at);
    expect(readdirSync(join(at.home, ".local/share/opencode"))).toEqual(names);
    const without = fresh(storedRun("opencode/subagent"));
    rmSync(`${file(without.home)}-wal`);
    const [half] = await imported(without);
    const size = (where: { readonly data: string }, run: Imported | undefined) =>
      lstatSync(join(where.data, "runs", `${run?.run}`, "raw.jsonl")).size;
    expect(size(at, whole)).toBeGreaterThan(size(without, half));
  });

  test("two databases may use the same id for different sessions", async () => {
    const at = fresh();
    for (const name of ["mix", "flaky"]) copyHome(storedRun(`goose/${name}`), join(at.home, name));
    const found = await imported(at, { paths: [at.home] });
    expect(found.map(({ session, state }) => [session, state])).toEqual([
      ["20261115_1", "new"],
      ["20261115_1", "new"],
    ]);
    expect((await imported(at, { paths: [at.home] })).map(({ state }) => state)).toEqual(["unchanged", "unchanged"]);
  });

  test("the last transaction counts if the log is torn", async () => {
    const at = fresh(storedRun("opencode/subagent"));
    truncateSync(`${file(at.home)}-wal`, lstatSync(`${file(at.home)}-wal`).size - 100);
    expect((await imported(at)).map(({ state }) => state)).toEqual(["new"]);
  });

  test.each(["opencode/mix", "goose/mix"])("%s: every damaged copy is imported or fails with a sentence", async (name) => {
    const run = storedRun(name);
    const [path = ""] = fileNames(run.home);
    const bytes = readFileSync(path);
    for (let n = 0; n < 60; n++) {
      const at = fresh(run);
      const copy = Buffer.from(bytes);
      const start = Math.floor((bytes.length / 60) * n);
      copy.fill(n % 3 === 0 ? 0xff : n, start, start + (n % 2 === 0 ? 4 : 700));
      writeFileSync(join(at.home, path.slice(run.home.length)), n % 5 === 0 ? bytes.subarray(0, start) : copy);
      for (const { state, reason } of await imported(at)) expect([state, reason ?? "."].join()).toMatch(/^new|^failed,[A-Z].*\.$/s);
    }
  });

  test("a session of Codex that was compressed meanwhile is unchanged", async () => {
    const at = fresh(storedRun("codex/mix"));
    const [first] = await imported(at);
    const [path = ""] = fileNames(at.home);
    renameSync(path, `${path}.zst`);
    writeFileSync(`${path}.zst`, stored(readFileSync(`${path}.zst`)));
    expect(await imported(at)).toEqual([{ ...first, state: "unchanged", bytes: expect.any(Number) }]);
    writeFileSync(`${path}.zst`, stored(Buffer.from("x")).subarray(0, 8));
    expect((await imported(at)).map(({ state }) => state)).not.toContain("new");
  });
});

/** Zstandard without compression: a frame header, then blocks of raw bytes. */
function stored(bytes: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  const pieces: Uint8Array[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size];
  for (let at = 0; at < bytes.length; at += 65_536) {
    const piece = bytes.subarray(at, at + 65_536);
    const header = (piece.length << 3) | (at + 65_536 >= bytes.length ? 1 : 0);
    pieces.push(Buffer.from([header & 255, (header >> 8) & 255, header >> 16]), piece);
  }
  return Buffer.concat(pieces);
}

describe("harness import", () => {
  test("prints one object per session in a pipe, and a summary on stderr", async () => {
    const { home } = storedRun("gemini/subagent");
    const { code, stdout, stderr } = await here.start(["import"], { env: { HOME: home } }).done;
    expect([code, JSON.parse(stdout).files]).toEqual([0, 2]);
    expect(stderr).toContain("1 session: 1 new");
  });

  test.each([
    [["import", "nope"], "neither an agent"],
    [["import", "./nope"], "Not found"],
    [["summarize", "20261118-090000-abcdef"], "harness derive 20261118-090000-abcdef --view summary"],
    [["import", "--since", "soon"], "Pass an age or a date"],
  ])("%j is wrong usage", async (args, sentence) => {
    const { code, stderr } = await here.start(args).done;
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});
