import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ToolOutput } from "../../../src/pure/events/harness-event.ts";
import type { Tools } from "../../../src/work/native/tool.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { folder } from "./support.ts";

/** A workspace next to a secret that nothing may reach. */
async function place(options: object = {}) {
  const above = folder();
  const root = join(above, "workspace");
  mkdirSync(root);
  const secret = join(above, "secret.txt");
  writeFileSync(secret, "SECRET");
  const tools = await workspaceTools({ root, ...options });
  return { above, root, secret, use: (name: string, input: object, signal?: AbortSignal) => used(tools, name, input, signal) };
}

/** A tool's output or error. */
async function used(tools: Tools, name: string, input: object, abortSignal = new AbortController().signal): Promise<string> {
  const output = await tools[name]?.execute?.(input, { toolCallId: "c", messages: [], abortSignal });
  return (output as Extract<ToolOutput, { context: string }>).context;
}

const PATCH = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe("what they do", () => {
  test("reading: lines, ranges, and binary files", async () => {
    const { root, use } = await place();
    writeFileSync(join(root, "a"), "1\n2\n3\n4\n");
    writeFileSync(join(root, "binary"), Buffer.of(1, 0, 2));
    writeFileSync(join(root, "latin"), Buffer.of(0xe9));
    writeFileSync(join(root, "empty"), "");
    writeFileSync(join(root, "long"), "x\n".repeat(5000));
    expect(await use("read", { path: "a" })).toBe("1\n2\n3\n4");
    expect(await use("read", { path: join(root, "a"), offset: 2, limit: 2 })).toBe("2\n3\n… (1 more lines; continue with offset 4)");
    expect(await use("read", { path: "a", offset: 9 })).toBe("(the file has only 4 lines)");
    expect(await use("read", { path: "empty" })).toBe("(the file is empty)");
    expect(await use("read", { path: "long" })).toMatch(/… \(3000 more lines; continue with offset 2001\)$/);
    await expect(use("read", { path: "binary" })).rejects.toThrow("binary is not text (3 bytes)");
    expect(await use("read", { path: "latin" })).toBe("é\n(its encoding is Latin-1; edits keep that)");
    await expect(use("read", { path: "no" })).rejects.toThrow("no does not exist.");
    await expect(use("read", { path: "." })).rejects.toThrow("is a directory");
  });

  test("writing creates directories, keeps the mode, and leaves hard links alone", async () => {
    const { root, above, use } = await place();
    expect(await use("write", { path: "x/y/z", content: "é" })).toBe("Created x/y/z (2 bytes).");
    chmodSync(join(root, "x/y/z"), 0o750);
    linkSync(join(root, "x/y/z"), join(above, "same"));
    expect(await use("write", { path: "x/y/z", content: "new" })).toBe("Replaced x/y/z (3 bytes, was 2).");
    expect(statSync(join(root, "x/y/z")).mode & 0o777).toBe(0o750);
    expect(readFileSync(join(above, "same"), "utf8")).toBe("é");
    await expect(use("write", { path: "x", content: "" })).rejects.toThrow("is a directory");
  });

  test("editing needs a single occurrence, or all", async () => {
    const { root, use } = await place();
    writeFileSync(join(root, "a"), "one two two $&");
    await expect(use("edit", { path: "a", before: "two", after: "2" })).rejects.toThrow("contains this passage 2 times");
    await expect(use("edit", { path: "a", before: "ten", after: "2" })).rejects.toThrow("does not contain this passage");
    await use("edit", { path: "a", before: "two", after: "$&", all: true });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("one $& $& $&");
  });

  test("a patch adds, updates, moves and deletes, or does nothing at all", async () => {
    const { root, use } = await place();
    writeFileSync(join(root, "a"), "1\n2\n3\n");
    writeFileSync(join(root, "b"), "b\n");
    writeFileSync(join(root, "c"), "c\n");
    const lines = [
      "*** Update File: a",
      "@@",
      " 1",
      "-2",
      "+two",
      " 3",
      "*** Update File: b",
      "*** Move to: d/b",
      "@@",
      "-b",
      "+B",
      "*** Delete File: c",
      "*** Add File: e",
      "+e",
    ];
    expect(await use("apply_patch", { patchText: PATCH(...lines) })).toBe(
      "Updated a: +1 -1 at line 2\nMoved b to d/b: +1 -1 at line 1\nRemoved c\nCreated e: +1",
    );
    expect(["a", "d/b", "e"].map((name) => readFileSync(join(root, name), "utf8"))).toEqual(["1\ntwo\n3\n", "B\n", "e\n"]);
    expect(["b", "c"].filter((name) => existsSync(join(root, name)))).toEqual([]);
    for (const [patch, why] of [
      [PATCH("*** Update File: a", "@@", "-1", "+one", "*** Update File: d/b", "@@", "-nothing"), "does not contain these lines"],
      [PATCH("*** Add File: a", "+x"), "already exists"],
      [PATCH("*** Add File: ../out", "+x"), "outside the workspace"],
      [PATCH(), "changes no file"],
      ["nonsense", "begins with the line"],
    ] as const)
      await expect(use("apply_patch", { patchText: patch })).rejects.toThrow(why);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("1\ntwo\n3\n");
  });

  test("searching and listing", async () => {
    const { root, use } = await place();
    for (const name of ["src/a.ts", "src/deep/b.ts", "node_modules/c.ts", "d.md"]) {
      mkdirSync(join(root, name, ".."), { recursive: true });
      writeFileSync(join(root, name), `needle in ${name}\nother\n`);
    }
    expect(await use("search", { pattern: "need+le" })).toBe(
      "d.md:1: needle in d.md\nsrc/a.ts:1: needle in src/a.ts\nsrc/deep/b.ts:1: needle in src/deep/b.ts",
    );
    expect(await use("search", { pattern: "needle", path: "src", include: "b.*" })).toBe("src/deep/b.ts:1: needle in src/deep/b.ts");
    expect(await use("search", { pattern: "needle", path: "d.md" })).toBe("d.md:1: needle in d.md");
    expect(await use("search", { pattern: "nothing" })).toBe("(no match)");
    await expect(use("search", { pattern: "(" })).rejects.toThrow("Invalid regular expression");
    expect(await use("list", {})).toBe("d.md\nsrc/");
    expect(await use("list", { pattern: "*.ts" })).toBe("src/a.ts\nsrc/deep/b.ts");
    await expect(use("list", { path: "no" })).rejects.toThrow("does not exist");
  });

  test("only reading tools if nothing may be changed", async () => {
    expect(Object.keys(await workspaceTools({ root: folder(), readOnly: true }))).toEqual(["read", "search", "list", "task"]);
  });
});

describe("nothing leads out of the workspace", () => {
  const OUT = /outside the workspace|cannot be followed|does not exist|not a directory|NUL/;

  test("paths", async () => {
    const { use, secret } = await place();
    for (const path of [
      "../secret.txt",
      "a/../../secret.txt",
      secret,
      "/etc/passwd",
      "..",
      "/",
      "a\0b",
      `./${"../".repeat(30)}etc/passwd`,
    ]) {
      await expect(use("read", { path }), path).rejects.toThrow(OUT);
      await expect(use("write", { path, content: "x" }), path).rejects.toThrow(OUT);
      await expect(use("list", { path }), path).rejects.toThrow(OUT);
      await expect(use("search", { pattern: "SECRET", path }), path).rejects.toThrow(OUT);
      await expect(use("apply_patch", { patchText: PATCH(`*** Delete File: ${path}`) }), path).rejects.toThrow();
    }
    expect(readFileSync(secret, "utf8")).toBe("SECRET");
  });

  test("links to a file, to a directory, in the middle of a path, in a circle; links that stay inside are followed", async () => {
    const { root, above, secret, use } = await place();
    mkdirSync(join(root, "in"));
    writeFileSync(join(root, "in/file"), "inside");
    symlinkSync(secret, join(root, "file"));
    symlinkSync(above, join(root, "up"));
    symlinkSync("../..", join(root, "in/far"));
    symlinkSync("self", join(root, "self"));
    symlinkSync("in", join(root, "other"));
    symlinkSync(join(root, "in/file"), join(root, "near"));
    for (const path of ["file", "up/secret.txt", "in/far/secret.txt", "up/new", "self"]) {
      await expect(use("read", { path }), path).rejects.toThrow(/outside the|circle/);
      await expect(use("write", { path, content: "x" }), path).rejects.toThrow(/outside the|circle/);
    }
    expect(await use("read", { path: "other/file" })).toBe("inside");
    await use("write", { path: "near", content: "changed", overwrite: true });
    expect(readFileSync(join(root, "in/file"), "utf8")).toBe("changed");
    expect(await use("search", { pattern: "SECRET" })).toBe("(no match)");
    expect(await use("list", {})).not.toContain("secret");
    expect([readFileSync(secret, "utf8"), existsSync(join(above, "new"))]).toEqual(["SECRET", false]);
  });

  test("does not wait for a pipe or read a device", async () => {
    const { root, use } = await place();
    execFileSync("mkfifo", [join(root, "pipe")]);
    await expect(use("read", { path: "pipe" })).rejects.toThrow("not a regular file");
    await expect(use("write", { path: "pipe", content: "x" })).rejects.toThrow("not a regular file");
    expect(await use("search", { pattern: "x" })).toBe("(no match)");
  });

  test("a directory that becomes a link during use", async () => {
    const { root, above, secret, use } = await place();
    mkdirSync(join(above, "outside"));
    writeFileSync(join(above, "outside/file"), "SECRET");
    const stop = new AbortController();
    const swapping = swap(root, join(above, "outside"), stop.signal);
    let reached = 0;
    for (let round = 0; round < 120; round++) {
      for (const [name, input] of [
        ["read", { path: "dir/file" }],
        ["write", { path: "dir/made", content: "x" }],
        ["list", { path: "dir" }],
        ["search", { pattern: "SECRET", path: "dir" }],
      ] as const) {
        const said = await use(name, input).catch(() => "");
        if (said !== "") reached++;
        expect(said).not.toContain("SECRET");
      }
    }
    stop.abort();
    await swapping;
    expect(reached).toBeGreaterThan(0);
    expect(existsSync(join(above, "outside/made"))).toBe(false);
    expect(readFileSync(secret, "utf8")).toBe("SECRET");
  });
});

/** `dir` alternates between a directory and a link out of the workspace, as fast as another process can switch it. */
async function swap(root: string, outside: string, signal: AbortSignal): Promise<void> {
  mkdirSync(join(root, "real"));
  writeFileSync(join(root, "real/file"), "fine");
  symlinkSync(outside, join(root, "link"));
  const { spawn } = await import("node:child_process");
  const script = `const fs = require("fs"); for (;;) { try { fs.renameSync("real", "dir"); fs.renameSync("dir", "real"); fs.renameSync("link", "dir"); fs.renameSync("dir", "link"); } catch { process.exit(1); } }`;
  const child = spawn(process.execPath, ["-e", script], { cwd: root, stdio: "ignore" });
  await new Promise<void>((resolve) => {
    child.on("exit", () => resolve());
    signal.addEventListener("abort", () => child.kill("SIGKILL"));
    child.on("spawn", () => {});
  });
  for (const name of ["dir"]) if (existsSync(join(root, name))) rmSync(join(root, name), { recursive: true, force: true });
}
