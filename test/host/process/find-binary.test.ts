import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findBinary, installed } from "../../../src/host/process/find-binary.ts";

const root = mkdtempSync(join(tmpdir(), "harness-find-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const one = join(root, "one");
const two = join(root, "two");
const PATH = `${one}:${two}`;
for (const directory of [one, two]) mkdirSync(directory);

function program(path: string): string {
  writeFileSync(path, "#!/bin/sh\nexit 0\n");
  chmodSync(path, 0o755);
  return path;
}

program(join(one, "both"));
program(join(two, "both"));
program(join(two, "second"));
symlinkSync(join(two, "second"), join(two, "linked"));
symlinkSync(join(root, "gone"), join(one, "dangling"));
symlinkSync("circle", join(one, "circle"));
mkdirSync(join(one, "folder"));
writeFileSync(join(one, "text"), "no program");
chmodSync(join(one, "text"), 0o644);
execFileSync("mkfifo", [join(one, "pipe")]);

function refusal(options: { binary?: string; names?: readonly string[]; path?: string; install?: string }): string {
  try {
    const found = findBinary({ names: [], cwd: root, path: "path" in options ? options.path : PATH, ...options });
    return `found ${found}`;
  } catch (error) {
    expect(error).toMatchObject({ name: "HarnessError", code: "start" });
    return (error as Error).message.replaceAll(root, "<root>");
  }
}

describe("findBinary", () => {
  const find = (options: { binary?: string; names?: readonly string[]; path?: string }) =>
    findBinary({ names: [], cwd: root, path: PATH, ...options });

  test("the best name wins, then the first directory", () => {
    expect(find({ names: ["both"] })).toBe(join(one, "both"));
    expect(find({ names: ["second", "both"] })).toBe(join(two, "second"));
    expect(find({ names: ["nope", "second"] })).toBe(join(two, "second"));
  });

  test("starts a link by its own name, which some programs check", () => {
    expect(find({ names: ["linked"] })).toBe(join(two, "linked"));
  });

  test("skips files that cannot be started", () => {
    for (const name of ["dangling", "circle", "folder", "text", "pipe"]) {
      const later = program(join(two, name));
      expect(find({ names: [name] })).toBe(later);
      rmSync(later);
    }
  });

  test("the user's choice: a path is relative to the working directory, a name is found on PATH", () => {
    expect(find({ binary: "two/second" })).toBe(join(two, "second"));
    expect(find({ binary: join(two, "second") })).toBe(join(two, "second"));
    expect(find({ binary: "second", names: ["both"] })).toBe(join(two, "second"));
  });

  test("never starts a program from the working directory", () => {
    program(join(root, "here"));
    for (const path of [`:${PATH}`, `${PATH}:`, "::", ".", `./:${one}`, "one/.."]) {
      expect(refusal({ names: ["here"], path })).toContain("Program not found on PATH: here");
    }
    expect(find({ binary: "./here", path: "" })).toBe(join(root, "here"));
  });

  test.each([
    [{ names: ["nope"] }, "Program not found on PATH: nope. Install it, or set its path with `binary`."],
    [{ names: ["a", "b"] }, "Program not found on PATH: a or b. Install it, or set its path with `binary`."],
    [
      { names: ["nope"], install: "npm install -g nope" },
      "Program not found on PATH: nope. Install it (npm install -g nope), or set its path with `binary`.",
    ],
    [
      { names: ["nope"], path: undefined },
      "PATH is not set, so this program was not found: nope. Install it, or set its path with `binary`.",
    ],
    [{ names: ["nope"], path: "" }, "PATH is not set, so this program was not found: nope. Install it, or set its path with `binary`."],
    [
      { names: ["text"] },
      "Program not found on PATH: text (<root>/one/text: it is not executable). Install it, or set its path with `binary`.",
    ],
    [
      { names: ["dangling"] },
      "Program not found on PATH: dangling (<root>/one/dangling: it is a link to a file that does not exist). Install it, or set its path with `binary`.",
    ],
    [{ binary: "./one/nope" }, "Cannot start <root>/one/nope: there is no such file. Choose a different program with `binary`."],
    [{ binary: "one/folder" }, "Cannot start <root>/one/folder: it is a directory. Choose a different program with `binary`."],
    [{ binary: "one/" }, "Cannot start <root>/one: it is a directory. Choose a different program with `binary`."],
    [{ binary: "one/text" }, "Cannot start <root>/one/text: it is not executable. Choose a different program with `binary`."],
    [{ binary: "one/pipe" }, "Cannot start <root>/one/pipe: it is not a regular file. Choose a different program with `binary`."],
    [{ binary: "one/circle" }, "Cannot start <root>/one/circle: its symbolic links form a loop. Choose a different program with `binary`."],
    [
      { binary: "one/dangling" },
      "Cannot start <root>/one/dangling: it is a link to a file that does not exist. Choose a different program with `binary`.",
    ],
    [
      { binary: "one/text/inside" },
      "Cannot start <root>/one/text/inside: there is no such file. Choose a different program with `binary`.",
    ],
    [{ binary: "one/a\0b" }, "Cannot start <root>/one/a\0b: there is no such file. Choose a different program with `binary`."],
    [
      { binary: "./one/nope", option: "command" },
      "Cannot start <root>/one/nope: there is no such file. Choose a different program with `command`.",
    ],
    [{ binary: "nope", option: "command" }, "Program not found on PATH: nope. Install it, or set its path with `command`."],
    [{ binary: "" }, "`binary` is empty. Set it to a path or a program name."],
    [{}, "This agent has no default program. Choose one with `command` or `binary`."],
  ])("%j", (options, sentence) => {
    expect(refusal(options)).toBe(sentence);
  });
});

test("installed", () => {
  expect(installed(["nope", "both"], PATH)).toBe(join(one, "both"));
  expect(installed(["text", "nope"], PATH)).toBeUndefined();
  expect(installed([], PATH)).toBeUndefined();
  expect(installed(["both"], undefined)).toBeUndefined();
});
