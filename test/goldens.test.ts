import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agents } from "../src/agents/index.ts";
import type { View } from "../src/core/view.ts";
import { type ViewId, views } from "../src/views/index.ts";
import { loadFixtures, replay } from "./support/fixtures.ts";

/** `npm run goldens` rewrites them; the diff is then read like any other change. */
const WRITE = process.env["GOLDENS"] === "write";

const fixtures = loadFixtures();

/**
 * Made of others, which have goldens everywhere, or, of a run that nobody observed, of its end only: one
 * fixture of each agent shows them.
 */
const MADE_OF_OTHERS = new Set(["capture", "summary", "markdown", "graph", "decision"]);
const shown = new Set(Object.values(agents).map(({ id }) => fixtures.find(({ agent }) => agent.id === id)?.name));

function viewsOf(name: string): ViewId[] {
  return (Object.keys(views) as ViewId[]).filter((id) => !MADE_OF_OTHERS.has(id) || shown.has(name));
}

describe("goldens", () => {
  test("there are fixtures of every agent", () => {
    const withFixtures = new Set(fixtures.map(({ agent }) => agent.id));
    const formats = Object.keys(agents).filter((id) => !id.endsWith("-acp")); // those are read like acp
    expect([...withFixtures].sort()).toEqual(formats.sort());
  });

  for (const fixture of fixtures) {
    test.for(viewsOf(fixture.name))(`${fixture.name} as %s`, (id) => {
      const view: View = views[id];
      const records = replay<object>(fixture, view);
      const { file, text } = goldenOf(view, records);
      if (WRITE) writeFileSync(join(fixture.folder, file), text);
      expect(existsSync(join(fixture.folder, file)), `no golden ${file}: run npm run goldens and read what it wrote`).toBe(true);
      expect(text).toBe(readFileSync(join(fixture.folder, file), "utf8"));
    });
  }
});

function goldenOf(view: View, records: readonly object[]): { file: string; text: string } {
  if (view.text !== undefined) return { file: `${view.id}.md`, text: records.map((record) => view.text?.(record) ?? "").join("") };
  if (view.id === "result") return { file: "result.json", text: `${JSON.stringify(records[0], null, 2)}\n` };
  return { file: `${view.id}.jsonl`, text: records.map((record) => `${JSON.stringify(record)}\n`).join("") };
}
