import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { views } from "../../../src/pure/views/views.ts";
import { bash, cleanUp, directory, harness, hasShell } from "../../support/harness.ts";

afterAll(cleanUp);

async function completed(...words: string[]): Promise<{ values: string[]; rest: string | undefined }> {
  const { code, stdout, stderr } = await harness(["complete", "--", ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  return { values: lines.slice(0, -1).map((line) => line.split("\t")[0] ?? ""), rest: lines.at(-1) };
}

describe("what a shell is answered", () => {
  test.each<[words: string[], values: string[], rest: string]>([
    [["der"], ["derive"], ":none"],
    [["derive", "--agent", ""], Object.keys(agents), ":none"],
    [["derive", "--agent", "co"], ["codex", "codex-acp"], ":none"],
    [["derive", "--agent=co"], ["codex", "codex-acp"], ":none"],
    [["derive", "x", "--view", ""], Object.keys(views), ":none"],
    [["derive", "--case", ""], ["pascal", "snake"], ":none"],
    [["derive", "--signal", "SIGTER"], ["SIGTERM"], ":none"],
    [["derive", "--ex"], ["--exit-code"], ":none"],
    [["derive", "--exit-code", ""], [], ":none"],
    [["derive", ""], [], ":files"],
    [["derive", "--refs", "fix"], [], ":files"],
    [["derive", "--agent", "claude", ""], [], ":files"],
    [["derive", "raw.jsonl", ""], [], ":none"],
    [["derive", "--stderr", ""], [], ":files"],
    [["derive", "--cwd=sr"], [], ":dirs"],
    [["agents", ""], ["list", "check"], ":none"],
    [["agents", "list", "--"], ["--json", "--help"], ":none"],
    [["schemas", "a"], ["activity"], ":none"],
    [["completion", ""], ["bash", "zsh", "fish"], ":none"],
    [["conformance", "pi"], ["pi", "pi-new"], ":none"],
    [["conformance", "claude", "--scenario", "one-t"], ["one-turn"], ":none"],
    [["conformance", "--report", ""], [], ":files"],
    [["help", "sch"], ["schemas"], ":none"],
    [["nonsense", "x"], [], ":none"],
  ])("%j", async (words, values, rest) => {
    expect(await completed(...words)).toEqual({ values, rest });
  });

  const COMMANDS = [
    ..."run observe derive replay graph check verify bundle runs view watch".split(" "),
    ..."capture trials summarize grade compare prefer validate-refs calibrate balance adapter:check adapter:scaffold".split(" "),
    ..."agents config model conformance demo schemas completion help".split(" "),
  ];

  test("nothing typed: the commands, but not the one for shells", async () => {
    expect((await completed("")).values).toEqual(COMMANDS);
    expect((await completed()).values).toEqual(COMMANDS);
  });
});

describe.runIf(hasShell("bash"))("bash", () => {
  /** Asks the sourced script as bash would, with the words split as bash splits them. */
  async function reply(...words: string[]): Promise<string[]> {
    const ask = [
      "source <(harness completion bash)",
      "COMP_WORDS=(harness)",
      'while IFS= read -r word; do COMP_WORDS+=("$word"); done',
      `COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))`,
      "_harness_complete",
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
    ];
    const { code, stdout, stderr } = await bash(ask.join("\n"), { stdin: `${words.join("\n")}\n` });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout.split("\n").filter((line) => line !== "");
  }

  test("completes commands, options and values", async () => {
    expect(await reply("der")).toEqual(["derive"]);
    expect(await reply("derive", "--agent", "")).toEqual(Object.keys(agents));
    expect(await reply("derive", "--agent", "=", "co")).toEqual(["codex", "codex-acp"]);
    expect(await reply("derive", "--view", "=")).toEqual(Object.keys(views));
    expect(await reply("derive", "--vi")).toEqual(["--view"]);
  });

  test("leaves files to bash", async () => {
    expect(await reply("derive", "fixt")).toEqual([]);
    expect((await bash("source <(harness completion bash); complete -p harness")).stdout).toBe(
      "complete -o default -F _harness_complete harness\n",
    );
  });

  test("runs nothing of what was typed", async () => {
    const proof = join(directory(), "proof");
    expect(await reply("derive", `$(touch ${proof})`, "--vi")).toEqual(["--view"]);
    expect(existsSync(proof)).toBe(false);
  });

  test("can be sourced twice", async () => {
    expect(await bash("set -e; source <(harness completion bash); source <(harness completion bash)")).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });
});

test.runIf(hasShell("zsh"))("zsh takes the script", async () => {
  expect(await bash("harness completion zsh > /dev/null && zsh -n <(harness completion zsh)")).toEqual({ code: 0, stdout: "", stderr: "" });
});

test.runIf(hasShell("fish"))("fish completes", async () => {
  const ask = (line: string) => bash(`fish -c "harness completion fish | source; complete -C '${line}'"`);
  expect((await ask("harness derive --agent=co")).stdout).toContain("--agent=codex\tCodex\n");
  expect((await ask("harness derive fixtures/claude/full/ra")).stdout).toContain("fixtures/claude/full/raw.jsonl");
});

test("an unknown shell is a mistake", async () => {
  const { code, stdout, stderr } = await harness(["completion", "tcsh"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^harness: .*bash, zsh, fish.*\n$/);
});
