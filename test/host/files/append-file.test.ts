import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openAppendFile } from "../../../src/host/files/append-file.ts";
import { bytesOfText, own } from "../../../src/host/sink/index.ts";
import { cleanUp, directory, program, run, start } from "./child.ts";

afterAll(cleanUp);

const mode = (path: string) => statSync(path).mode & 0o777;

describe("openAppendFile", () => {
  test("appends whole records, reports its size, and continues at its end", async () => {
    const path = join(directory(), "records.jsonl");
    const file = openAppendFile(path);
    file.append(own`one\n`);
    file.append(bytesOfText(own`zwölf\n`));
    file.append(own``);
    expect(file.size).toBe(11);
    await file.sync();
    file.close();
    const again = openAppendFile(path);
    expect(again.size).toBe(11);
    again.append(own`three\n`);
    again.close();
    expect(readFileSync(path, "utf8")).toBe("one\nzwölf\nthree\n");
    expect(mode(path)).toBe(0o600);
  });

  test("can be closed during a sync, and accepts nothing afterwards", async () => {
    const file = openAppendFile(join(directory(), "file"));
    file.append(own`x`);
    const syncing = Promise.all([file.sync(), file.sync()]);
    file.close();
    file.close();
    await syncing;
    await file.sync();
    expect(() => file.append(own`y`)).toThrow(
      expect.objectContaining({ code: "log", message: expect.stringContaining("it has been closed") }),
    );
    expect(readFileSync(file.path, "utf8")).toBe("x");
  });

  test("makes an existing file private", () => {
    const path = join(directory(), "file");
    writeFileSync(path, "", { mode: 0o644 });
    openAppendFile(path).close();
    expect(mode(path)).toBe(0o600);
  });

  test.each(["000", "777"])("0600 under umask %s", async (umask) => {
    const path = join(directory(), "file");
    const open = program(`import { openAppendFile } from "src/host/files/append-file.ts";
      openAppendFile(process.argv[2]).close();
      console.log("true");`);
    await run(open, { args: [path], shell: `umask ${umask}` });
    expect(mode(path)).toBe(0o600);
  });

  test("follows no link, waits on no pipe, and says why it cannot open", () => {
    const base = directory();
    writeFileSync(join(base, "target"), "untouched");
    symlinkSync(join(base, "target"), join(base, "link"));
    symlinkSync(join(base, "nowhere"), join(base, "dangling"));
    mkdirSync(join(base, "folder"));
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(base, "pipe")]);
    const table: readonly (readonly [string, string, boolean?])[] = [
      ["link", "it is a symbolic link"],
      ["dangling", "it is a symbolic link"],
      ["folder", "it is a directory"],
      ["pipe", "it is not a regular file"],
      ["target/below", "a part of the path is not a directory"],
      ["missing/file", "a parent directory does not exist"],
      ["target", "it already exists", true],
    ];
    for (const [name, why, exclusive] of table) {
      const path = join(base, name);
      const open = () => openAppendFile(path, exclusive === undefined ? {} : { exclusive });
      expect(open, name).toThrow(expect.objectContaining({ name: "HarnessError", code: "log", message: expect.stringContaining(why) }));
    }
    expect(readFileSync(join(base, "target"), "utf8")).toBe("untouched");
  });

  test("case 42: two processes, one write per record: none is torn", async () => {
    const path = join(directory(), "file");
    const writer = program(`import { openAppendFile } from "src/host/files/append-file.ts";
      const file = openAppendFile(process.argv[2]);
      for (let i = 0; i < 300; i++) file.append(process.argv[3].repeat(20_000) + "\\n");
      console.log("true");`);
    await Promise.all(["a", "b"].map((letter) => run(writer, { args: [path, letter] })));
    const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
    expect(lines).toHaveLength(600);
    expect(lines.filter((line) => line !== "a".repeat(20_000) && line !== "b".repeat(20_000))).toEqual([]);
  });
});

/** Appends records of many sizes; prints which were acknowledged and what the others threw. */
const WRITER = `import { readFileSync, rmSync } from "node:fs";
  import { openAppendFile } from "src/host/files/append-file.ts";
  const records = Array.from({ length: 8 }, (_, i) => JSON.stringify({ seq: i, text: "é".repeat(i * 40) }) + "\\n");
  function write(path, spec) {
    rmSync(path, { force: true });
    const file = openAppendFile(path);
    globalThis.fault?.(spec);
    const good = [];
    const errors = [];
    for (const record of records) {
      try { file.append(record); good.push(record); }
      catch ({ name, code, message, cause }) { errors.push({ name, code, message, cause: cause.code }); }
    }
    const calls = globalThis.faultCalls?.();
    globalThis.fault?.(undefined);
    file.close();
    return { good, errors, calls, size: file.size, content: readFileSync(path, "utf8") };
  }
`;

interface Written {
  readonly good: readonly string[];
  readonly errors: readonly { readonly name: string; readonly code: string; readonly message: string; readonly cause: string }[];
  readonly size: number;
  readonly content: string;
}

describe("case 38: a fault at the Nth write, for every N until none is reached", () => {
  const faults = {
    EIO: { code: "EIO" },
    ENOSPC: { code: "ENOSPC" },
    "a short count": { short: 5 },
    "a short count, then a full disk": { short: 5, code: "ENOSPC", times: 1e9 },
    "a short count, then a full disk for one write": { short: 5, code: "ENOSPC", times: 2 },
    "nothing written": { short: 0 },
    EINTR: { code: "EINTR" },
    EAGAIN: { code: "EAGAIN" },
  };
  const PASSES = new Set(["a short count", "nothing written", "EINTR", "EAGAIN"]);

  test.each(Object.entries(faults))("%s: exactly the acknowledged records are there, complete", async (name, fault) => {
    const path = join(directory(), "file");
    const loop = program(`${WRITER}
      const spec = JSON.parse(process.argv[3]);
      const results = [];
      for (let at = 1; ; at++) {
        const result = write(process.argv[2], { call: "writeSync", at, ...spec });
        results.push(result);
        if (result.calls < at) break;
      }
      console.log(JSON.stringify(results));`);
    const results = (await run(loop, { args: [path, JSON.stringify(fault)], fault: {} })) as Written[];
    expect(results.length).toBeGreaterThan(8);
    for (const { good, errors, content, size } of results) {
      expect(content).toBe(good.join(""));
      expect(size).toBe(Buffer.byteLength(content));
      expect(good.length + errors.length).toBe(8);
      for (const error of errors)
        expect(error).toMatchObject({ name: "HarnessError", code: "log", cause: "code" in fault ? fault.code : "" });
    }
    const faulty = results.filter(({ errors }) => errors.length > 0);
    expect(faulty.length > 0).toBe(!PASSES.has(name));
    if (name === "ENOSPC") expect(faulty[0]?.errors[0]?.message).toBe(`Cannot write ${path}: no space is left on the device.`);
  });

  test("death: all acknowledged records are there, plus at most the start of the next", async () => {
    const writer = program(`${WRITER}
      import { writeSync } from "node:fs";
      const file = openAppendFile(process.argv[2]);
      for (const record of records) { file.append(record); writeSync(1, record); }
      writeSync(1, '"end"\\n');`);
    for (let at = 1; ; at++) {
      const path = join(directory(), "file");
      const child = start(writer, { args: [path], fault: { call: "writeSync", at, short: 7, kill: true } });
      const seen: unknown[] = [];
      try {
        while (seen.at(-1) !== "end") seen.push(await child.answer());
      } catch {
        // It was killed.
      }
      await child.end();
      if (seen.at(-1) === "end") {
        expect(at).toBe(9);
        break;
      }
      expect(seen).toHaveLength(at - 1);
      const lines = readFileSync(path, "utf8").split("\n");
      expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toEqual(seen);
      expect(lines.at(-1)).toBe('{"seq":');
    }
  });
});

describe("removing a torn record", () => {
  test("never removes what another handle wrote before", async () => {
    const path = join(directory(), "file");
    const both = program(`import { readFileSync } from "node:fs";
      import { openAppendFile } from "src/host/files/append-file.ts";
      const file = openAppendFile(process.argv[2]);
      file.append("one\\n");
      openAppendFile(process.argv[2]).append("two\\n");
      globalThis.fault({ call: "writeSync", at: 1, times: 2, short: 3, code: "ENOSPC" });
      let message;
      try { file.append("three\\n"); } catch (error) { message = error.message; }
      console.log(JSON.stringify({ message, content: readFileSync(process.argv[2], "utf8"), size: file.size }));`);
    const message = `Cannot write ${path}: no space is left on the device.`;
    expect(await run(both, { args: [path], fault: {} })).toEqual({ message, content: "one\ntwo\n", size: 8 });
  });

  test("never removes what another process wrote meanwhile, and then stops", async () => {
    const path = join(directory(), "file");
    const meanwhile = program(`import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      import { openAppendFile } from "src/host/files/append-file.ts";
      const { writeSync } = fs;
      const steps = [
        (fd, bytes) => writeSync(fd, bytes, 0, 3),
        () => { fs.appendFileSync(process.argv[2], "whole\\n"); throw Object.assign(new Error("injected"), { code: "ENOSPC" }); },
      ];
      const file = openAppendFile(process.argv[2]);
      fs.writeSync = (...args) => (steps.shift() ?? writeSync)(...args);
      syncBuiltinESMExports();
      const message = () => { try { file.append("three\\n"); } catch (error) { return error.message; } };
      console.log(JSON.stringify([message(), message(), fs.readFileSync(process.argv[2], "utf8")]));`);
    expect(await run(meanwhile, { args: [path] })).toEqual([
      `Cannot write ${path}: no space is left on the device.`,
      `Cannot write ${path}: another process has changed the end of the file.`,
      "thrwhole\n",
    ]);
  });

  test("is retried by the next append, which writes nothing until it succeeds", async () => {
    const path = join(directory(), "file");
    const retry = program(`import fs, { readFileSync } from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      import { openAppendFile } from "src/host/files/append-file.ts";
      const path = process.argv[2];
      const { ftruncateSync } = fs;
      let broken = true;
      fs.ftruncateSync = (...args) => { if (broken) throw Object.assign(new Error("injected"), { code: "EIO" }); ftruncateSync(...args); };
      syncBuiltinESMExports();
      const file = openAppendFile(path);
      const seen = [];
      const append = (text) => {
        let outcome = "fine";
        try { file.append(text); } catch (error) { outcome = error.message; }
        seen.push([outcome, readFileSync(path, "utf8"), file.size]);
      };
      append("one\\n");
      globalThis.fault({ call: "writeSync", at: 1, times: 2, short: 3, code: "ENOSPC" });
      append("two\\n");
      append("three\\n");
      broken = false;
      append("four\\n");
      console.log(JSON.stringify(seen));`);
    expect(await run(retry, { args: [path], fault: {} })).toEqual([
      ["fine", "one\n", 4],
      [`Cannot write ${path}: no space is left on the device.`, "one\ntwo", 4],
      [`Cannot write ${path}: the disk reports an error.`, "one\ntwo", 4],
      ["fine", "one\nfour\n", 9],
    ]);
  });
});

/** Case 40, with a limit that any user can set: the system accepts a part of the record, then rejects the rest. */
test("a real file size limit: whole records up to it, one sentence, and a smaller record still fits", async () => {
  const path = join(directory(), "file");
  const fill = program(`import { openAppendFile } from "src/host/files/append-file.ts";
    const file = openAppendFile(process.argv[2]);
    const record = "x".repeat(99) + "\\n";
    let failure;
    while (failure === undefined) try { file.append(record); } catch (error) { failure = error; }
    const size = file.size;
    file.append("end\\n");
    console.log(JSON.stringify({ code: failure.code, cause: failure.cause.code, message: failure.message, size }));`);
  const answer = await run(fill, { args: [path], shell: "ulimit -f 2" });
  expect(answer).toMatchObject({
    code: "log",
    cause: "EFBIG",
    message: `Cannot write ${path}: the file would exceed the file size limit.`,
  });
  const lines = readFileSync(path, "utf8").split("\n");
  expect(lines.slice(-2)).toEqual(["end", ""]);
  expect(new Set(lines.slice(0, -2))).toEqual(new Set(["x".repeat(99)]));
});

test("appends at the end of a file that another process truncated or extended", () => {
  const path = join(directory(), "file");
  const file = openAppendFile(path);
  file.append(own`one\n`);
  appendFileSync(path, "foreign\n");
  file.append(own`two\n`);
  truncateSync(path, 4);
  file.append(own`three\n`);
  file.close();
  expect(readFileSync(path, "utf8")).toBe("one\nthree\n");
});
