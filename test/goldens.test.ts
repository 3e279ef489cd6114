import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agents } from "../src/agents/index.ts";
import { type ViewId, views } from "../src/views/index.ts";
import { loadFixtures, replay } from "./support/fixtures.ts";

/** `npm run goldens` rewrites them; the diff is then read like any other change. */
const WRITE = process.env["GOLDENS"] === "write";

const fixtures = loadFixtures();

describe("goldens", () => {
  test("there are fixtures of every agent", () => {
    const withFixtures = new Set(fixtures.map(({ agent }) => agent.id));
    const formats = Object.keys(agents).filter((id) => !id.endsWith("-acp")); // those are read like acp
    expect([...withFixtures].sort()).toEqual(formats.sort());
  });

  for (const fixture of fixtures) {
    test.for(Object.keys(views) as ViewId[])(`${fixture.name} as %s`, (id) => {
      const view = views[id];
      const records = replay<object>(fixture, view);
      const text =
        view.id === "result" ? `${JSON.stringify(records[0], null, 2)}\n` : records.map((record) => `${JSON.stringify(record)}\n`).join("");
      const file = join(fixture.folder, view.id === "result" ? "result.json" : `${view.id}.jsonl`);
      if (WRITE) writeFileSync(file, text);
      expect(existsSync(file), `no golden ${file}: run npm run goldens and read what it wrote`).toBe(true);
      expect(text).toBe(readFileSync(file, "utf8"));
    });
  }
});
