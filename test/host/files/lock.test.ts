import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { acquireLock, lockOwner } from "../../../src/host/files/lock.ts";
import { runs } from "../../support/full.ts";
import { type Child, cleanUp, directory, program, run, start, unprivilegedUser } from "./child.ts";

afterAll(cleanUp);

/** Cases 42 and 43: one writer, and a lock that the kernel frees. */

const command = "harness run --agent claude";
const KILLS = runs(6, 30);
const RACES = runs(30, 100);

/** Locks each directory it reads, prints the outcome, and holds its locks until asked to release them. */
const OWNER = `import { createInterface } from "node:readline";
  import { acquireLock } from "src/host/files/lock.ts";
  const locks = new Map();
  for await (const line of createInterface({ input: process.stdin })) {
    const [word, directory] = line.split(" ");
    if (word === "release") {
      await locks.get(directory).release();
      console.log('"released"');
    } else {
      try {
        locks.set(directory, await acquireLock(directory, { command: ${JSON.stringify(command)} }));
        console.log('"locked"');
      } catch ({ name, code, message }) { console.log(JSON.stringify({ name, code, message })); }
    }
  }
  process.kill(process.pid, "SIGKILL");`;

async function say(child: Child, line: string): Promise<unknown> {
  child.say(line);
  return child.answer();
}

/** A process that holds the locks of these directories. */
async function owner(...paths: readonly string[]): Promise<Child> {
  const child = start(program(OWNER));
  for (const path of paths) expect(await say(child, `lock ${path}`)).toBe("locked");
  return child;
}

const refused = (path: string, pid: number) => ({
  name: "HarnessError",
  code: "locked",
  message: `The run ${basename(path)} is being written by process ${pid} on host ${hostname()} (${command}); wait for it, or stop it.`,
});

describe("acquireLock", () => {
  test("holds until released, even within one process, and leaves nothing in the directory", async () => {
    const path = directory();
    const before = Date.now();
    const lock = await acquireLock(path, { command });
    expect(readdirSync(path)).toHaveLength(1);
    await expect(acquireLock(path, { command })).rejects.toMatchObject(refused(path, process.pid));
    const known = await lockOwner(path);
    expect(known).toEqual({ pid: process.pid, host: hostname(), since: expect.any(Number), command });
    expect(known?.since).toBeGreaterThanOrEqual(before);
    expect(readdirSync(path)).toHaveLength(1);
    await lock.release();
    await lock.release();
    expect(readdirSync(path)).toEqual([]);
    expect(await lockOwner(path)).toBeUndefined();
    await (await acquireLock(path, { command })).release();
  });

  test("rejects another process and names the owner", async () => {
    const path = directory();
    const first = await owner(path);
    await expect(acquireLock(path, { command: "other" })).rejects.toMatchObject(refused(path, first.pid));
    const second = await owner();
    expect(await say(second, `lock ${path}`)).toEqual(refused(path, first.pid));
    expect(await lockOwner(path)).toMatchObject({ pid: first.pid, command });
    expect(await say(first, `release ${path}`)).toBe("released");
    expect(await say(second, `lock ${path}`)).toBe("locked");
    await Promise.all([first.kill("SIGKILL"), second.kill("SIGKILL")]);
  });

  test(`kill -9 of the owner frees it, ${KILLS} times`, async () => {
    const path = directory();
    for (let round = 0; round < KILLS; round++) {
      const child = await owner(path);
      await expect(acquireLock(path, { command })).rejects.toMatchObject({ code: "locked" });
      await child.kill("SIGKILL");
      expect(await lockOwner(path)).toBeUndefined();
      const lock = await acquireLock(path, { command });
      expect(readdirSync(path)).toHaveLength(1);
      await lock.release();
    }
    expect(readdirSync(path)).toEqual([]);
  });

  test("a stopped owner still holds it", async () => {
    const path = directory();
    const child = await owner(path);
    await child.kill("SIGSTOP");
    let known = await lockOwner(path);
    while (known?.host !== null) known = await lockOwner(path); // the signal may take a moment to arrive
    expect(known).toEqual({ pid: child.pid, host: null, since: null, command: null });
    await expect(acquireLock(path, { command })).rejects.toMatchObject({
      code: "locked",
      message: `The run ${basename(path)} is being written by process ${child.pid}; wait for it, or stop it.`,
    });
    await child.kill("SIGCONT");
    while (known?.host === null) known = await lockOwner(path);
    expect(known).toMatchObject({ pid: child.pid, command });
    await child.kill("SIGKILL");
    expect(await lockOwner(path)).toBeUndefined();
  });

  test(`eight processes race for one stale lock: exactly one wins, in each of ${RACES} rounds`, async () => {
    const paths = Array.from({ length: RACES }, directory);
    await (await owner(...paths)).kill("SIGKILL");
    const racers = await Promise.all(Array.from({ length: 8 }, () => owner()));
    for (const path of paths) {
      const outcomes = await Promise.all(racers.map((racer) => say(racer, `lock ${path}`)));
      const winner = racers[outcomes.indexOf("locked")];
      expect(outcomes.filter((outcome) => outcome === "locked")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome !== "locked").every((outcome) => (outcome as { code: string }).code === "locked")).toBe(
        true,
      );
      expect(await lockOwner(path)).toMatchObject({ pid: winner?.pid });
      expect(readdirSync(path)).toHaveLength(1);
    }
    await Promise.all(racers.map((racer) => racer.kill("SIGKILL")));
  });

  test("never has two owners, however many times it changes hands or its owner is killed", async () => {
    const path = directory();
    mkdirSync(join(path, "turns"));
    const worker = program(`import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
      import { setTimeout as pause } from "node:timers/promises";
      import { acquireLock } from "src/host/files/lock.ts";
      const [, , path, name, last] = process.argv;
      for (let turn = 0; turn < 40; ) {
        let lock;
        try { lock = await acquireLock(path, { command: name }); }
        catch (error) { if (error.code !== "locked") throw error; await pause(Math.random() * 4); continue; }
        mkdirSync(path + "/inside"); // fails if another process is inside
        await pause(Math.random() * 2);
        rmdirSync(path + "/inside");
        writeFileSync(path + "/turns/" + name + "-" + turn++, "");
        if (turn === Number(last)) process.kill(process.pid, "SIGKILL");
        await lock.release();
      }
      console.log("true");`);
    const lasting = ["a", "b", "c"].map((name) => run(worker, { args: [path, name, "-1"] }));
    const killed = ["d", "e", "f"].map((name, i) => start(worker, { args: [path, name, String(5 + 10 * i)] }));
    expect(await Promise.all(lasting)).toEqual([true, true, true]);
    for (const child of killed) await expect(child.answer()).rejects.toThrow("SIGKILL");
    expect(readdirSync(join(path, "turns"))).toHaveLength(3 * 40 + 5 + 15 + 25);
    const lock = await acquireLock(path, { command });
    await lock.release();
    expect(readdirSync(path)).toEqual(["turns"]);
  });

  test("works in a directory with a path too long for a socket", async () => {
    const path = join(directory(), ..."xxxxxx".split("").map((letter) => letter.repeat(60)));
    mkdirSync(path, { recursive: true });
    expect(Buffer.byteLength(path)).toBeGreaterThan(350);
    const child = await owner(path);
    await expect(acquireLock(path, { command })).rejects.toMatchObject(refused(path, child.pid));
    await child.kill("SIGKILL");
    await (await acquireLock(path, { command })).release();
    expect(readdirSync(path)).toEqual([]);
  });

  test("does not keep the process alive, and ends with it", async () => {
    const path = directory();
    const leave = program(`import { acquireLock } from "src/host/files/lock.ts";
      await acquireLock(process.argv[2], { command: "x" });
      console.log("true");`);
    const child = start(leave, { args: [path] });
    expect(await child.answer()).toBe(true);
    expect(await child.end()).toBe(0);
    expect(await lockOwner(path)).toBeUndefined();
  });

  test("can be released while the process exits", async () => {
    const path = directory();
    const leave = program(`import { acquireLock } from "src/host/files/lock.ts";
      const lock = await acquireLock(process.argv[2], { command: "x" });
      process.on("exit", () => lock.release());
      console.log("true");`);
    await run(leave, { args: [path] });
    expect(readdirSync(path)).toEqual([]);
  });

  test("removes unfinished claims of dead processes, and nothing that is not a lock", async () => {
    const path = directory();
    const socket = `${"lock"}.123-${"0".repeat(16)}-0`;
    for (const name of [`.${socket}`, socket, "lock", "lock.txt", "lock.1"]) writeFileSync(join(path, name), "");
    expect(await lockOwner(path)).toBeUndefined();
    expect(readdirSync(path)).toHaveLength(5);
    const lock = await acquireLock(path, { command });
    await lock.release();
    expect(readdirSync(path).sort()).toEqual(["lock", "lock.1", "lock.txt"]);
  });

  test("reports a command of any length or shape, clipped", async () => {
    const path = directory();
    const lock = await acquireLock(path, { command: `harness run "\n\u001b[31m${"x".repeat(100_000)}` });
    expect((await lockOwner(path))?.command).toHaveLength(1001);
    await expect(acquireLock(path, { command })).rejects.toMatchObject({ message: expect.stringMatching(/x…\); wait for it/) });
    await lock.release();
  });

  test("says why it cannot lock; an empty or missing directory has no owner", async () => {
    const base = directory();
    writeFileSync(join(base, "file"), "");
    expect(await lockOwner(join(base, "missing"))).toBeUndefined();
    await expect(acquireLock(join(base, "missing"), { command })).rejects.toMatchObject({ name: "HarnessError", code: "log" });
    await expect(acquireLock(join(base, "file"), { command })).rejects.toMatchObject({
      message: expect.stringContaining("not a directory"),
    });
  });

  test("a directory that is not writable", async (context) => {
    const user = unprivilegedUser();
    if (user === undefined && process.getuid?.() === 0) context.skip(); // root can write anywhere
    const attempt = program(`import { acquireLock } from "src/host/files/lock.ts";
      try { await acquireLock("/usr", { command: "x" }); }
      catch ({ code, message }) { console.log(JSON.stringify({ code, message })); }`);
    expect(await run(attempt, { user })).toEqual({ code: "log", message: "Cannot lock /usr: permission denied." });
  });
});
