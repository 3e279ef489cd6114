import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { PermissionRequest } from "../../../src/host/permissions/index.ts";
import { plannedCall } from "../../../src/pure/agents/planned-call.ts";
import { livePolicy } from "../../../src/work/observe/evaluation/live-policy.ts";
import { cleanUp, directory } from "../../support/harness.ts";

afterAll(cleanUp);

const root = directory();
mkdirSync(join(root, "src"));
symlinkSync("../.env", join(root, "src/link"));
const file = join(directory(), "policy.yaml");
writeFileSync(
  file,
  `checks:
  - { id: scope.only_paths, paths: ["src/**", notes.md, ".github/**"], workspace_only: true }
  - scope.no_ci_changes
  - scope.no_network
  - security.no_secrets
  - quality.tests_required
  - { id: custom.no_rm, in: commands, forbid: '^rm\\b' }
  - { id: custom.no_debug, in: added, forbid: debugger, paths: ["src/**"] }
  - { id: custom.no_lock, in: paths, forbid: "src/*.lock" }
  - { id: custom.soft, in: added, forbid: TODO, severity: warn }
allow: [Read, { tool: Write, path: "src/*" }, "npm test*"]
deny: [{ tool: "*", path: src/secret }, WebSearch]
`,
);
const policy = livePolicy(file);

function decided(tool: string, input: Record<string, unknown>): string | undefined {
  const request: PermissionRequest = { tool, input, options: [], ...plannedCall(tool, input, root) };
  const verdict = policy(request, root);
  return verdict && `${verdict.decision}: ${verdict.reason}`;
}
const write = (path: string, content = "x") => decided("Write", { file_path: path, content });
const run = (command: string) => decided("Bash", { command });

describe("a policy that decides live", () => {
  test.for<[string, string | undefined, string]>([
    ["an allowed path", write("src/a.ts"), "allow"],
    ["a path without an allow rule", write("notes.md"), "undefined"],
    ["another path", write("other.md"), "scope.only_paths"],
    ["another path, spelled oddly", write("src/../other.md"), "scope.only_paths"],
    ["S7: a link inside that leads out", write("src/link"), "scope.only_paths"],
    ["a CI file", write(".github/workflows/ci.yml"), "scope.no_ci_changes"],
    ["S7: a CI file in another case", write(".github/../.GitHub/workflows/ci.yml"), "scope."],
    ["a secret", write("src/a.ts", `key = "AKIAABCDEFGHIJKLMNOP"`), "security.no_secrets"],
    ["a forbidden line", write("src/a.ts", "a\n  debugger\n"), "custom.no_debug"],
    ["a line that only warns", write("src/a.ts", "TODO"), "allow"],
    ["a forbidden path", write("src/a.lock"), "custom.no_lock"],
    ["S7: a forbidden path in another case", write("src/A.LOCK"), "custom.no_lock"],
    ["a denied path", write("src/secret/"), "src/secret"],
    [
      "a patch of two files",
      decided("apply_patch", { command: "*** Begin Patch\n*** Add File: src/a\n+x\n*** Add File: b\n+x\n*** End Patch" }),
      "scope.only_paths",
    ],
    [
      "a patch with a forbidden line",
      decided("apply_patch", { command: "*** Begin Patch\n*** Add File: src/a\n+debugger\n*** End Patch" }),
      "custom.no_debug",
    ],
    ["an edit with a forbidden line", decided("Edit", { file_path: "src/a", old_string: "a", new_string: "debugger" }), "custom.no_debug"],
    ["a write by redirection", run("echo x > other.md"), "scope.only_paths"],
    ["an allowed command", run("npm test"), "allow"],
    ["an allowed command with another one", run("npm test; make"), "make does not show what it writes"],
    ["an allowed command with one that reads", run("npm test 2>&1 | tail -5"), "undefined"],
    ["a network command", run("npm test && curl http://x"), "scope.no_network"],
    ["K3: a forbidden command in disguise", run("if true; then sudo /bin/rm src/x; fi"), "custom.no_rm"],
    ["K3: a forbidden command in a string", run("bash -c 'rm src/x'"), "custom.no_rm"],
    ["a tool that fetches", decided("WebFetch", { url: "http://x" }), "scope.no_network"],
    ["a denied tool", decided("WebSearch", {}), "deny WebSearch"],
    ["a read", decided("Read", { file_path: "/etc/hosts" }), "allow"],
    ["a tool it does not know", decided("mcp__x__y", {}), "undefined"],
  ])("%s", ([, verdict, expected]) => {
    expect(String(verdict)).toContain(expected);
    expect(String(verdict).startsWith("allow")).toBe(expected === "allow");
  });

  test("a mistake in its rules is reported with its line", () => {
    const wrong = join(directory(), "wrong.yaml");
    writeFileSync(wrong, "checks: []\ndeny: [{ path: x }]\n");
    expect(() => livePolicy(wrong)).toThrow(/wrong\.yaml:2: deny\[0\]/);
  });
});
