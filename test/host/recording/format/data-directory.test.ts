import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { dataDirectory, ensurePrivate } from "../../../../src/host/recording/format/data-directory.ts";
import { HarnessError } from "../../../../src/pure/base/errors.ts";
import { cleanUp, directory, program, run, unprivilegedUser } from "../../files/child.ts";

afterAll(cleanUp);

const mode = (path: string) => lstatSync(path).mode & 0o7777;

function failure(action: () => void): { code: string; message: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof HarnessError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("It did not fail.");
}

describe("dataDirectory", () => {
  test.each([
    [{ XDG_DATA_HOME: "/data", HOME: "/home/me" }, "/data/harness"],
    [{ XDG_DATA_HOME: "relative", HOME: "/home/me" }, "/home/me/.local/share/harness"],
    [{ XDG_DATA_HOME: "", HOME: "/home/me" }, "/home/me/.local/share/harness"],
    [{ HOME: "/home/me" }, "/home/me/.local/share/harness"],
    [{}, join(homedir(), ".local/share/harness")],
    [{ HOME: "" }, join(homedir(), ".local/share/harness")],
  ])("%j is %s", (env, root) => {
    expect(dataDirectory(env)).toEqual({ root, runs: `${root}/runs`, sessions: `${root}/sessions` });
  });
});

describe("case 67: ensurePrivate", () => {
  test("creates it and its missing parents with private mode, and touches nothing else", () => {
    const base = directory();
    chmodSync(base, 0o755);
    const path = join(base, "a/b/c");
    ensurePrivate(path);
    expect([base, join(base, "a"), join(base, "a/b"), path].map(mode)).toEqual([0o755, 0o700, 0o700, 0o700]);
    ensurePrivate(`${path}/`);
    expect(mode(path)).toBe(0o700);
  });

  test.each(["000", "077", "277", "777"])("whatever the umask: %s", async (umask) => {
    const base = directory();
    const ensure = program(`import { ensurePrivate } from "src/host/recording/format/data-directory.ts";
      ensurePrivate(process.argv[2]);
      console.log("true");`);
    const user = unprivilegedUser();
    if (user !== undefined) chmodSync(base, 0o777);
    expect(await run(ensure, { args: [join(base, "a/b")], shell: `umask ${umask}`, user })).toBe(true);
    expect([join(base, "a"), join(base, "a/b")].map(mode)).toEqual([0o700, 0o700]);
  });

  test.each([0o777, 0o755, 0o701, 0o750])("tightens a looser mode: %o", (loose) => {
    const path = directory();
    chmodSync(path, loose);
    ensurePrivate(path);
    expect(mode(path)).toBe(0o700);
  });

  test("rejects a link, except as the root", () => {
    const base = directory();
    const target = join(base, "target");
    const link = join(base, "link");
    mkdirSync(target);
    chmodSync(target, 0o755);
    symlinkSync(target, link);
    for (const path of [link, `${link}/`]) {
      expect(failure(() => ensurePrivate(path))).toEqual({
        code: "log",
        message: `${link} is a symbolic link. Replace it with a directory.`,
      });
    }
    expect(mode(target)).toBe(0o755);
    ensurePrivate(link, { mayBeLink: true });
    expect(mode(target)).toBe(0o700);
    rmSync(target, { recursive: true });
    expect(failure(() => ensurePrivate(link, { mayBeLink: true })).message).toContain("does not exist");
    expect(failure(() => ensurePrivate(join(link, "below"))).message).toContain("does not exist");
    expect(readdirSync(base)).toEqual(["link"]);
  });

  test("rejects a file, and a path below a file", () => {
    const file = join(directory(), "file");
    writeFileSync(file, "");
    expect(failure(() => ensurePrivate(file))).toMatchObject({ code: "log", message: expect.stringContaining("is not a directory") });
    expect(failure(() => ensurePrivate(join(file, "a/b")))).toEqual({
      code: "log",
      message: `Cannot use the directory ${file}/a/b: a part of the path is not a directory.`,
    });
  });

  test("names the actual cause: a name that is too long", () => {
    const path = join(directory(), "x".repeat(300));
    expect(failure(() => ensurePrivate(path)).message).toContain("the path is too long");
  });

  const attempt = () =>
    program(`import { ensurePrivate } from "src/host/recording/format/data-directory.ts";
      try { ensurePrivate(process.argv[2]); console.log('"fine"'); }
      catch ({ name, code, message }) { console.log(JSON.stringify({ name, code, message })); }`);

  test("rejects another user's directory, and a read-only one", async (context) => {
    const user = unprivilegedUser();
    if (user === undefined && process.getuid?.() === 0) context.skip(); // root owns everything
    const other = await run(attempt(), { args: ["/usr"], user });
    expect(other).toMatchObject({ name: "HarnessError", code: "log", message: expect.stringContaining("belongs to another user") });
    const base = directory();
    chmodSync(base, 0o555);
    const readOnly = await run(attempt(), { args: [join(base, "a/b")], user });
    expect(readOnly).toMatchObject({ code: "log", message: expect.stringContaining("permission denied") });
    chmodSync(base, 0o700);
    expect(readdirSync(base)).toEqual([]);
  });

  test("says so if our own directory is read-only", async (context) => {
    const user = unprivilegedUser();
    if (user === undefined && process.getuid?.() === 0) context.skip();
    const base = directory();
    chmodSync(base, 0o777);
    const path = join(base, "mine");
    const lock = program(`import { chmodSync, mkdirSync } from "node:fs";
      mkdirSync(process.argv[2]);
      chmodSync(process.argv[2], 0o500);
      console.log("true");`);
    await run(lock, { args: [path], user });
    expect(await run(attempt(), { args: [path], user })).toMatchObject({
      code: "log",
      message: expect.stringContaining("permission denied"),
    });
    expect(mode(path)).toBe(0o500);
  });
});
