import { describe, expect, test } from "vitest";
import { byLevel, byRule } from "../../../../src/host/permissions/level.ts";
import type { PermissionRequest } from "../../../../src/host/permissions/permission.ts";
import { isLike, partsOf } from "../../../../src/pure/base/glob.ts";

describe("isLike", () => {
  test.each([
    ["git status", "git *", true],
    ["GIT Status", "git s*", true],
    ["git", "git *", false],
    ["git", "git*", true],
    ["abc", "a?c", true],
    ["ac", "a?c", false],
    ["", "*", true],
    ["", "", true],
    ["a", "", false],
    ["aXbXc", "a*b*c", true],
    ["a.b", "a*b*c", false],
    ["x[1]", "x[1]", true],
    ["x1", "x[1]", false],
  ])("%j %j: %s", (text, pattern, expected) => {
    expect(isLike(text, pattern)).toBe(expected);
  });

  test.each([
    ["git log; rm -r .", "git *"],
    ["git log && rm -r .", "git *"],
    ["git log | sh", "git *"],
    ["git log > x", "git *"],
    ["git log $(rm x)", "git *"],
    ["git log `rm x`", "git *"],
    ["git log\nrm x", "git *"],
    ["git log; rm", "git log* rm"],
    ["git log;rm", "git log?rm"],
    ["git a | b; c", "git * | *"],
  ])("within one command %j does not match %j", (text, pattern) => {
    expect(isLike(text, pattern, { within: true })).toBe(false);
  });

  test("a separator in the pattern may occur", () => {
    expect(isLike("git log | head -3", "git * | head *", { within: true })).toBe(true);
    expect(isLike("a; b", "*", { within: true })).toBe(true);
  });

  test("no pattern is slow", () => {
    const begin = performance.now();
    expect(isLike("a".repeat(20_000), `${"a*".repeat(200)}b`)).toBe(false);
    expect(performance.now() - begin).toBeLessThan(5000);
  });

  test("the parts of a command", () => {
    expect(partsOf("cd a && (rm -r b; ls) | wc > c").map((part) => part.trim())).toEqual(["cd a", "rm -r b", "ls", "wc", "c"]);
  });
});

describe("a request", () => {
  const request = (more: Partial<PermissionRequest>): PermissionRequest => ({ operations: [], options: [], ...more });

  test("X1: an agent that reports no kind is judged by what the call does", () => {
    const write = { tool: "text", operations: [{ kind: "write", path: "/w/a" }] } as const;
    const run = { tool: "shell", command: "echo x > a", operations: [{ kind: "write", path: "/w/a" }] } as const;
    for (const kind of [undefined, "other"]) {
      expect(byRule(request({ ...write, kind }), { allow: ["edit"] })?.decision).toBe("allow");
      expect(byRule(request({ ...run, kind }), { allow: ["edit"] })).toBeUndefined();
      expect(byRule(request({ ...run, kind }), { deny: ["execute"] })?.decision).toBe("deny");
      expect(byRule(request({ ...run, kind }), { deny: ["edit"] })?.decision).toBe("deny");
    }
    expect(byRule(request({ ...write, kind: "fetch" }), { allow: ["edit"] })).toBeUndefined();
    expect(byRule(request({ operations: [...write.operations, { kind: "read", path: "/w/a" }] }), { allow: ["edit"] })).toBeUndefined();
  });

  test("a title in backticks is a command like any other", () => {
    expect(byRule(request({ title: "`git log; rm x`" }), { allow: ["git *"] })).toBeUndefined();
    expect(byRule(request({ title: "`git log`" }), { allow: ["git *"] })?.decision).toBe("allow");
  });

  test("deny wins", () => {
    expect(byRule(request({ tool: "Bash", command: "ls" }), { allow: ["*"], deny: ["bash"] })).toEqual({
      decision: "deny",
      reason: "deny bash",
    });
  });

  test("read-only decides by what a call does, then by its kind", () => {
    const level = (more: Partial<PermissionRequest>) => byLevel(request(more), "read-only").decision;
    expect(level({ kind: "execute", operations: [{ kind: "read", path: "/a" }] })).toBe("allow");
    expect(level({ kind: "read", operations: [{ kind: "command", command: "make" }] })).toBe("deny");
    expect(level({ kind: "read" })).toBe("allow");
    expect(level({ kind: "fetch" })).toBe("deny");
    expect(level({})).toBe("deny");
  });
});
