import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { modelCommand } from "../../../src/app/cli/model/index.ts";
import { serveModel } from "../../../src/work/model/serve-model.ts";
import { toolShorthands } from "../../../src/work/model/tool-shorthands.ts";
import { yamlField } from "../../../src/work/model/yaml-field.ts";

/** docs/reference/model.md says what the program does. */

const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/model.md"), "utf8");
const cells = page.split("\n").flatMap((line) => (line.startsWith("| `") ? [line.slice(1, -1).split("|")] : []));
const codes = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

const examples: Readonly<Record<string, unknown>> = {
  run: "npm test",
  read: "a.txt",
  write: { path: "a.txt", content: "a" },
  edit: { path: "a.txt", old: "a", new: "b" },
  patch: "*** Add File: a.txt",
  search: { query: "a", path: "src" },
  glob: { pattern: "*.js", path: "src" },
  list: "src",
  agent: "Do it.",
  report: "It is done.",
  skill: "greeting",
  todo: ["First"],
  fetch: "http://a",
  mcp: { server: "demo", tool: "echo" },
};

test("every option of the command has a row", () => {
  const flags = modelCommand().options.map(({ flags }) => flags);
  expect(cells.flatMap(([first]) => codes(first)).filter((code) => code.startsWith("--"))).toEqual(flags);
});

test.each(Object.keys(toolShorthands))("the row of %s names the tools that are tried, in their order", (name) => {
  const field = yamlField(JSON.stringify(examples[name]), "a.yaml");
  const tools = [...new Set(toolShorthands[name]?.(field).map((call) => call.name))];
  const row = cells.find(([first]) => codes(first).some((code) => code.startsWith(`${name}: `)));
  const isElse = /or else/.test(row?.[1] ?? "");
  const shell = ["Bash", "exec_command", "bash", "shell", "run_shell_command", "run_commands"];
  const shown = codes(row?.[1]).filter((code) => code !== "demo_echo" || name === "mcp");
  const expected = tools.filter((tool) => !isElse || !shell.includes(tool));
  if (name === "mcp") expect(expected.slice(0, 2)).toEqual(shown.slice(0, 2));
  else if (name === "skill")
    expect(expected.slice(0, shown.length)).toEqual(shown); // then its file is read
  else expect(shown).toEqual(expected);
});

test("every key of the ledger has a row", async () => {
  const model = await serveModel({ scenarios: [] });
  try {
    await (await fetch(model.url)).text();
    const rows = page
      .slice(page.indexOf("## The ledger"))
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    expect(rows.flatMap((row) => codes(row.split("|")[1])).sort()).toEqual(Object.keys(model.ledger[0] ?? {}).sort());
  } finally {
    await model.close();
  }
});
