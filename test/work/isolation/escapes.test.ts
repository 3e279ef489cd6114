import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filtered } from "../../../src/host/isolation/filtered.ts";
import { fileMounts } from "../../../src/host/isolation/mounts.ts";
import { run } from "../../../src/host/recording/index.ts";
import { bubblewrapArgs } from "../../../src/pure/isolation/index.ts";
import { cleanUp, directory } from "../../support/harness.ts";
import { removeImage, testImage } from "../../support/image.ts";

/** Agents that try to leave their walls, as real processes: each attempt fails, or is detected and never counts. */

const MARK = "canary-of-the-world-outside";
/** The system's own: one in the home is not there inside. */
const PYTHON = "/usr/bin/python3";
const SUPPORT = join(import.meta.dirname, "support");
const hasWalls =
  process.platform === "linux" &&
  process.arch === "x64" &&
  existsSync(PYTHON) &&
  spawnSync("bwrap", ["--ro-bind", "/", "/", "true"]).status === 0;
const canBecome = hasWalls && process.getuid?.() === 0 && spawnSync("setpriv", ["--version"]).status === 0;
const NOBODY = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];

const image = hasWalls ? testImage() : undefined;

let helper: ChildProcess;
let world: Record<string, unknown>;

beforeAll(async () => {
  if (!hasWalls) return;
  const folder = directory();
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "canary"), MARK, { mode: 0o666 });
  writeFileSync(join(folder, "home-canary"), MARK, { mode: 0o644 });
  mkdirSync(join(folder, "data"), { mode: 0o755 });
  const env = { ...process.env, CANARY: MARK };
  helper = spawn(PYTHON, [join(SUPPORT, "outside.py"), folder, MARK], { env, stdio: ["pipe", "pipe", "inherit"] });
  const line = await firstLine(createInterface({ input: helper.stdout as NodeJS.ReadableStream }));
  world = { ...JSON.parse(line), mark: MARK, canary: join(folder, "canary"), home: join(homedir(), ".bashrc"), data: join(folder, "data") };
});

afterAll(async () => {
  const ended = new Promise((resolve) => helper?.on("exit", resolve));
  helper?.stdin?.end();
  if (helper !== undefined) await ended;
  removeImage(image);
  cleanUp();
});

async function firstLine(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line;
  throw new Error("it printed nothing");
}

interface Attempt {
  readonly attempt: string;
  readonly escaped: boolean;
  readonly why: string | null;
}

/** Attempts that change nothing outside, so that they may succeed. */
const HARMLESS = [
  "read a file outside",
  "follow a link",
  "walk up from the workspace",
  "the variables of all processes",
  "the command lines of all processes",
  "shared memory",
  "files in /dev/shm",
  "a socket with a name outside",
  "a socket without a name",
  "a server on loopback",
  "a datagram, as for DNS",
];

function workspace(isSealed: boolean, only?: readonly string[]): string {
  const cwd = directory();
  chmodSync(cwd, 0o777);
  copyFileSync(join(SUPPORT, "escapes.py"), join(cwd, "escapes.py"));
  writeFileSync(join(cwd, "outside.json"), JSON.stringify({ ...world, isSealed, ...(only && { only }) }));
  return cwd;
}

function check(printed: string, isSealed: boolean): void {
  const attempts = printed.split("\n").flatMap((line): Attempt[] => (line.startsWith("{") ? [JSON.parse(line)] : []));
  expect(attempts.at(-1)?.attempt, printed).toBe("end");
  expect(attempts.length).toBeGreaterThan(isSealed ? 50 : 40);
  expect(attempts.filter(({ escaped }) => escaped)).toEqual([]);
}

describe.runIf(hasWalls)("attempts to escape", () => {
  test("without walls, the canaries are there: an attempt can succeed", () => {
    const cwd = workspace(true, HARMLESS);
    const { stdout } = spawnSync(PYTHON, ["escapes.py"], { cwd, encoding: "utf8" });
    const escaped = stdout.split("\n").flatMap((line) => (line.includes('"escaped": true') ? [JSON.parse(line).attempt] : []));
    expect(new Set(escaped)).toEqual(new Set(HARMLESS));
  });

  const levels = ["files", "sealed", ...(image === undefined ? [] : [`container:${image}`])];
  test.each(levels)("at %s, all of them fail", async (level) => {
    const cwd = workspace(level !== "files");
    let folder = "";
    const onStart = (live: { readonly directory: string }) => {
      folder = live.directory;
    };
    const options = { agent: "generic", command: `${PYTHON} escapes.py`, prompt: "Try it." };
    for await (const _ of run({ ...options, cwd, dataDirectory: directory(), isolate: level, onStart }));
    check(printedIn(folder), level !== "files");
    expect(readFileSync(String(world["canary"]), "utf8")).toBe(MARK);
    expect(existsSync(`${String(world["canary"])}.new`)).toBe(false);
  });

  test.runIf(canBecome).each(["files", "sealed"] as const)("at %s, all of them fail for an ordinary user", (level) => {
    const cwd = workspace(level === "sealed");
    const empty = directory();
    chmodSync(empty, 0o777);
    const mounts = fileMounts({
      workspaces: [cwd],
      programs: [],
      instead: [{ kind: "write", path: "/tmp", from: empty }],
      more: [],
      hidden: [],
    });
    const walls = bubblewrapArgs({ level, mounts, network: level !== "sealed", cwd });
    const args = [...NOBODY, ...filtered(empty, "bwrap", walls), PYTHON, "escapes.py"];
    chmodSync(join(empty, "filter"), 0o644); // it is the user's own if harness runs as that user
    const { stdout, stderr } = spawnSync("setpriv", args, { cwd: "/", encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
    check(stdout === "" ? stderr : stdout, level === "sealed");
  });

  test("truncating its own recording is detected, and never counts", async () => {
    const said = [];
    const options = { agent: "generic", command: "sh -s", isolate: "files" as const, cwd: directory(), dataDirectory: directory() };
    const prompt = 'echo one; sleep 0.5; echo forged > /proc/self/fd/1; sleep 0.5; echo "{}" >> /proc/self/fd/1';
    for await (const record of run({ ...options, prompt, view: "log" })) said.push(record);
    expect(said.find(({ type }) => type === "run-end")).toMatchObject({ status: "failed", reason: "evidence-lost" });
  });

  test("a fork bomb and a disk filler end at their limits, and leave nothing", async () => {
    for (const [limits, prompt] of [
      [{ processes: 60 }, "f() { sleep 100 & f; }; f; sleep 100"],
      [{ workspace: 2 ** 20 }, "while :; do head -c 300000 /dev/zero >> fill; done"],
    ] as const) {
      const cwd = directory();
      const said = [];
      const options = {
        agent: "generic",
        command: "sh -s",
        isolate: "sealed" as const,
        cwd,
        dataDirectory: directory(),
        timeoutMs: 60_000,
      };
      for await (const record of run({ ...options, prompt, resourceLimits: limits, view: "log" })) said.push(record);
      expect(said.find(({ type }) => type === "run-end")).toMatchObject({ status: expect.stringMatching(/crashed|failed/) });
      expect(readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes("sleep\u0000100"))).toEqual([]);
    }
  });
});

function printedIn(folder: string): string {
  return ["raw.jsonl", "stderr.log"].map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
