import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { writeAtomically } from "../../../src/host/files/write-atomically.ts";
import { recorded } from "../../../src/host/sink/index.ts";
import { cleanUp, directory, program, run, start } from "./child.ts";

afterAll(cleanUp);

const OLD = `${JSON.stringify({ old: "x".repeat(1000) })}\n`;
const NEW = `${JSON.stringify({ new: "é".repeat(2000) })}\n`;

function old(): string {
  const path = join(directory(), "run.json");
  writeFileSync(path, OLD);
  return path;
}

const left = (path: string) => ({ names: readdirSync(join(path, "..")), text: readFileSync(path, "utf8") });

const WRITER = `import { writeAtomically } from "src/host/files/write-atomically.ts";
import { recorded } from "../../../src/host/sink/index.ts";
  try { writeAtomically(process.argv[2], ${JSON.stringify(NEW)}); console.log('"fine"'); }
  catch ({ name, code, message, cause }) { console.log(JSON.stringify({ name, code, message, cause: cause.code })); }`;

describe("writeAtomically", () => {
  test("creates or replaces a file, with private mode", () => {
    const path = old();
    writeAtomically(path, recorded(NEW));
    expect(left(path)).toEqual({ names: ["run.json"], text: NEW });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const other = join(path, "../other.json");
    writeAtomically(other, recorded(""));
    expect(readFileSync(other, "utf8")).toBe("");
  });

  test.each(["000", "777"])("0600 under umask %s", async (umask) => {
    const path = old();
    expect(await run(program(WRITER), { args: [path], shell: `umask ${umask}` })).toBe("fine");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("replaces a link, and leaves its target alone", () => {
    const path = old();
    const link = join(path, "../link.json");
    symlinkSync(path, link);
    writeAtomically(link, recorded(NEW));
    expect([readFileSync(path, "utf8"), readFileSync(link, "utf8")]).toEqual([OLD, NEW]);
  });

  test.each([
    ["missing/run.json", "a parent directory does not exist"],
    ["file/run.json", "a part of the path is not a directory"],
    ["folder", "it is a directory"],
  ])("%s: one sentence with the cause, and nothing left behind", (name, why) => {
    const base = directory();
    writeFileSync(join(base, "file"), "");
    mkdirSync(join(base, "folder"));
    const path = join(base, name);
    const write = () => writeAtomically(path, recorded(NEW));
    expect(write).toThrow(expect.objectContaining({ name: "HarnessError", code: "log", message: `Cannot write ${path}: ${why}.` }));
    expect(readdirSync(base).sort()).toEqual(["file", "folder"]);
  });

  test.each([
    { call: "openSync", code: "ENOSPC" },
    { call: "writeSync", code: "ENOSPC" },
    { call: "writeSync", short: 100, code: "EIO", times: 1e9 },
    { call: "fsyncSync", code: "EIO" },
    { call: "renameSync", code: "EROFS" },
  ])("case 40: after a fault the old file is there, and no temporary file: %j", async (fault) => {
    const path = old();
    const answer = await run(program(WRITER), { args: [path], fault: { at: 1, ...fault } });
    expect(answer).toMatchObject({ name: "HarnessError", code: "log", cause: fault.code });
    expect(left(path)).toEqual({ names: ["run.json"], text: OLD });
  });

  test("continues after a short count", async () => {
    const path = old();
    expect(await run(program(WRITER), { args: [path], fault: { call: "writeSync", at: 1, short: 100 } })).toBe("fine");
    expect(left(path)).toEqual({ names: ["run.json"], text: NEW });
  });

  test("reports a new file with a name that may not survive a power cut", async () => {
    const path = old();
    const answer = await run(program(WRITER), { args: [path], fault: { call: "fsyncSync", at: 2, code: "EIO" } });
    expect(answer).toMatchObject({ code: "log", message: expect.stringContaining("power cut: the disk reports an error") });
    expect(left(path)).toEqual({ names: ["run.json"], text: NEW });
  });

  test("accepts a directory that cannot be synced", async () => {
    const path = old();
    expect(await run(program(WRITER), { args: [path], fault: { call: "fsyncSync", at: 2, code: "EINVAL" } })).toBe("fine");
  });

  test.each(["openSync", "writeSync", "fsyncSync", "renameSync"])("case 38: death at %s leaves the old text complete", async (call) => {
    const path = old();
    const child = start(program(WRITER), { args: [path], fault: { call, at: 1, short: 100, kill: true } });
    await expect(child.answer()).rejects.toThrow("SIGKILL");
    expect(left(path).text).toBe(OLD);
  });

  test("a real file size limit leaves the old file", async () => {
    const path = old();
    const answer = await run(program(WRITER), { args: [path], shell: "ulimit -f 2" });
    expect(answer).toMatchObject({ code: "log", cause: "EFBIG", message: expect.stringContaining("file size limit") });
    expect(left(path)).toEqual({ names: ["run.json"], text: OLD });
  });

  test("a reader finds one text or the other, never a part", async () => {
    const path = old();
    const loop = program(`import { writeAtomically } from "src/host/files/write-atomically.ts";
import { recorded } from "../../../src/host/sink/index.ts";
      for (let i = 0; i < 100; i++) writeAtomically(process.argv[2], String(i % 10).repeat(50_000));
      console.log("true");`);
    writeAtomically(path, recorded("0".repeat(50_000)));
    let isDone = false;
    const writing = run(loop, { args: [path] }).finally(() => {
      isDone = true;
    });
    let reads = 0;
    while (!isDone) {
      const text = readFileSync(path, "utf8");
      expect(text).toBe(text.charAt(0).repeat(50_000));
      reads++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
    expect(reads).toBeGreaterThan(0);
  });
});
