import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { views } from "../../../src/pure/views/views.ts";
import { bash, cleanUp, directory, harness, hasShell } from "../../support/harness.ts";

afterAll(cleanUp);

const env = { XDG_DATA_HOME: directory(), HARNESS_TEST_VARIABLE: "1" };

async function completed(...typed: string[]): Promise<{ values: string[]; rest: string | undefined }> {
  const { code, stdout, stderr } = await harness(["complete", "--", ...typed], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  return { values: lines.slice(0, -1).map((line) => line.split("\t")[0] ?? ""), rest: lines.at(-1) };
}

describe("harness complete", () => {
  test.each<[typed: string[], values: string[], rest: string]>([
    [["der"], ["derive"], ":none"],
    [["derive", "--agent", ""], Object.keys(agents), ":none"],
    [["derive", "--agent", "co"], ["codex", "codex-acp"], ":none"],
    [["derive", "--agent=co"], ["codex", "codex-acp"], ":none"],
    [["derive", "x", "--view", ""], Object.keys(views), ":none"],
    [["derive", "--case", ""], ["pascal", "snake"], ":none"],
    [["derive", "--signal", "SIGTER"], ["SIGTERM"], ":none"],
    [["derive", "--ex"], ["--exit-code"], ":none"],
    [["derive", "--exit-code", ""], [], ":none"],
    [["derive", ""], ["last"], ":files"],
    [["derive", "--refs", "fix"], [], ":files"],
    [["derive", "--agent", "claude", ""], ["last"], ":files"],
    [["derive", "--agent", "./a"], [], ":files"],
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
    [["help", "sess"], ["sessions"], ":none"],
    [["help", "sessions", "pr"], ["prune"], ":none"],
    [["runs", "--st"], ["--status"], ":none"],
    [["runs", "--status", "c"], ["completed", "canceled", "crashed"], ":none"],
    [["sessions", "pr"], ["prune"], ":none"],
    [["check", "last", "--checks", "truth.consistent,security.no_s"], ["truth.consistent,security.no_secrets"], ":none"],
    [["observe", "--capture", ""], ["full", "redacted", "hashed"], ":none"],
    [["observe", "--out", ""], [], ":dirs"],
    [["capture", "p.jsonl", "-g", "re"], ["regex"], ":files"],
    [["capture", "p.jsonl", "node", ""], [], ":files"],
    [["compare", "a.jsonl", ""], [], ":files"],
    [["graph", "--format", ""], ["json", "dot", "mermaid", "svg"], ":none"],
    [["adapter:"], ["adapter:check", "adapter:scaffold"], ":none"],
    [["run", "--env", "HARNESS_TEST_V"], ["HARNESS_TEST_VARIABLE"], ":none"],
    [["nonsense", "x"], [], ":none"],
  ])("%j", async (typed, values, rest) => {
    expect(await completed(...typed)).toEqual({ values, rest });
  });

  const COMMANDS = [
    ..."run observe demo watch view replay rerun runs import usage derive graph bundle check verify".split(" "),
    ..."evaluate capture trials grade compare trend prefer summarize validate-refs calibrate balance".split(" "),
    ..."agents adapter:check adapter:scaffold model prices conformance config schemas completion help".split(" "),
  ];

  test("nothing typed: the commands, but not the one for shells", async () => {
    expect((await completed("")).values).toEqual(COMMANDS);
    expect((await completed()).values).toEqual(COMMANDS);
  });
});

describe("runs", () => {
  const recorded = { XDG_DATA_HOME: directory() };
  let id = "";
  beforeAll(async () => {
    await harness(["run", "--command", "echo", "--prompt", "Hello.", "--name", "first"], { env: recorded });
    id = JSON.parse((await harness(["runs", "--json"], { env: recorded })).stdout).id;
  });

  test.each(["verify", "graph", "check", "bundle", "replay", "rerun", "derive", "view", "watch", "runs show", "runs rm", "run --resume"])(
    "complete for %s",
    async (line) => {
      const { stdout } = await harness(["complete", "--", ...line.split(" "), "2"], { env: recorded });
      expect(stdout.split("\n")[0]).toBe(`${id}\tgeneric, completed, first`);
    },
  );
});

describe.runIf(hasShell("bash"))("bash", () => {
  /** Calls the sourced function as bash does: with the line split at spaces, `=` and `:`. */
  async function reply(...args: string[]): Promise<string[]> {
    const ask = [
      "source <(harness completion bash)",
      "COMP_WORDS=(harness)",
      'while IFS= read -r arg; do COMP_WORDS+=("$arg"); done',
      `COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))`,
      "_harness_complete",
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
    ];
    const { code, stdout, stderr } = await bash(ask.join("\n"), { stdin: `${args.join("\n")}\n`, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout.split("\n").filter((line) => line !== "");
  }

  test("completes commands, options and values", async () => {
    expect(await reply("der")).toEqual(["derive"]);
    expect(await reply("derive", "--agent", "")).toEqual(Object.keys(agents));
    expect(await reply("derive", "--agent", "=", "co")).toEqual(["codex", "codex-acp"]);
    expect(await reply("derive", "--view", "=")).toEqual(Object.keys(views));
    expect(await reply("derive", "--vi")).toEqual(["--view"]);
    expect(await reply("adapter", ":", "ch")).toEqual(["check"]); // bash replaces what follows the colon
    expect(await reply("capture", "p.jsonl", "-g", "comm")).toEqual(["command:"]);
  });

  test("adds files to runs", async () => {
    expect(await reply("derive", "")).toEqual(expect.arrayContaining(["last", "package.json"]));
    expect(await reply("derive", "la")).toEqual(["last"]);
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

test.runIf(hasShell("zsh"))("zsh completes", { timeout: 60_000 }, async () => {
  const capture = join(import.meta.dirname, "../../support/zsh-completions.zsh");
  const ask = async (line: string) => (await bash(`zsh -f "${capture}" '${line}'`, { env })).stdout.split(/\r?\n/);
  expect(await ask("harness der")).toContain("derive");
  expect(await ask("harness derive --agent=co")).toEqual(expect.arrayContaining(["codex", "codex-acp"]));
  expect(await ask("harness adapter:ch")).toContain("adapter:check");
  expect(await ask("harness derive pack")).toContain("package.json");
  expect(await ask("harness derive la")).toContain("last");
});

test.runIf(hasShell("fish"))("fish completes", async () => {
  const ask = async (line: string) => (await bash(`fish -c "harness completion fish | source; complete -C '${line}'"`, { env })).stdout;
  expect(await ask("harness derive --agent=co")).toContain("--agent=codex\tCodex\n");
  expect(await ask("harness derive fixtures/claude/full/ra")).toContain("fixtures/claude/full/raw.jsonl");
  expect(await ask("harness verify la")).toContain("last\tthe newest run\n");
  expect(await ask("harness adapter:ch")).toContain("adapter:check\t");
});
