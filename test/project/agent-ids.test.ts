import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agents } from "../../src/pure/agents/agents.ts";
import type { Agent } from "../../src/pure/pipeline/index.ts";
import { filesIn, ROOT } from "./imports.ts";

/** Knowledge about an agent lives in its folder; how to install and test it lives in the conformance corpus. */
const HOMES = ["src/pure/agents/", "src/work/conformance/"];

/** Quoted strings that equal an agent's id but mean something else. */
const EXCEPTIONS: Readonly<Record<string, { readonly word: string; readonly because: string }>> = {
  "src/app/cli/config/settings-template.ts": { word: "claude", because: "an example that people read and change" },
  "src/host/process/inside-program.ts": { word: "native", because: "the file of a program" },
  "src/pure/pipeline/agent.ts": { word: "acp", because: "the protocol, which has an agent's name" },
};

const names = new Set(
  Object.values<Agent>(agents).flatMap(({ id, aliases = [], product }) => [id, ...aliases, ...(product ? [product] : [])]),
);

/** Agent names in quotes, or taken from the list by name, outside comments. */
function agentNamesIn(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");
  const words = [...code.matchAll(/(["'`])([a-z][a-z0-9-]*)\1|\bagents\.([a-z]+)/g)].map(([, , quoted, member]) => quoted ?? member ?? "");
  return words.filter((word) => names.has(word));
}

describe("agent ids", () => {
  test("appear in quotes only in the agents' folders and the corpus", () => {
    const files = [...filesIn("src"), ...filesIn("page")].filter((file) => !HOMES.some((home) => file.startsWith(home)));
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) => agentNamesIn(readFileSync(join(ROOT, file), "utf8")).map((word) => ({ file, word })));
    expect(found.filter(({ file, word }) => EXCEPTIONS[file]?.word !== word)).toEqual([]);
    expect([...new Set(found.map(({ file }) => file))].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });

  test("mistakes would be found", () => {
    expect(names.size).toBeGreaterThan(20);
    expect(agentNamesIn('const isClaude = agent.id === "claude";')).toEqual(["claude"]);
    expect(agentNamesIn("new Set(['native', `rlm`])")).toEqual(["native", "rlm"]);
    expect(agentNamesIn('product === "claude-code" || agents.codex')).toEqual(["claude-code", "codex"]);
    expect(agentNamesIn('/** "claude" */ // of "codex"\nconst url = "https://x"; say("claude says")')).toEqual([]);
    expect(HOMES.map((home) => filesIn(home).some((file) => agentNamesIn(readFileSync(join(ROOT, file), "utf8")).length > 0))).toEqual([
      true,
      true,
    ]);
  });
});
