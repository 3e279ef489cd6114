import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cleanGitConfig } from "../../../src/pure/isolation/index.ts";

test("what describes the repository stays", () => {
  const text = `[core]
	repositoryformatversion = 1
	filemode = true
[extensions]
	objectFormat = sha256
[user]
	name = Ada
[remote "origin"]
	url = https://example.org/a.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
`;
  expect(cleanGitConfig(text)).toBe(text.replaceAll(/^\t(\w+) = /gm, "\t$1 = "));
});

test.each([
  ["[core]\n\tfsmonitor = ./evil", "[core]\n"],
  ["[core]\n\tpager = evil\n\tsshCommand = evil\n\teditor = evil\n\thooksPath = .", "[core]\n"],
  ["[core] hooksPath = .\n", ""],
  ["[core]\n\tfilemode = true \\\n\thooksPath = .", "[core]\n"],
  ['[filter "x"]\n\tclean = evil', ""],
  ["[include]\n\tpath = ../evil", ""],
  ['[includeIf "gitdir:/"]\n\tpath = ../evil', ""],
  ["[alias]\n\tstatus = !evil", ""],
  ['[remote "origin"]\n\tuploadpack = evil\n\tvcs = ext', '[remote "origin"]\n'],
  ["[constructor]\n\tname = x", ""],
  ["[CORE]\n\tFSMONITOR = evil\n\tFileMode = true", "[CORE]\n\tFileMode = true\n"],
  ['[diff "x"]\n\ttextconv = evil\n[core]\n\tbare = false', "[core]\n\tbare = false\n"],
])("%j becomes %j", (text, clean) => expect(cleanGitConfig(text)).toBe(clean));

test("git reads the result", () => {
  const folder = mkdtempSync(join(tmpdir(), "harness-git-"));
  const file = join(folder, "config");
  writeFileSync(file, cleanGitConfig('[core]\n\tbare = false\n\tpager = x\n[remote "a b"]\n\turl = /x\n'));
  expect(execFileSync("git", ["config", "--file", file, "--list"], { encoding: "utf8" })).toBe("core.bare=false\nremote.a b.url=/x\n");
  rmSync(folder, { recursive: true });
});
