import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { version } from "../../src/pure/base/version.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The public interface. A name that leaves this list is a breaking change. */
const names = [
  "EVENT_VERSION",
  "HarnessError",
  "LINE_CAP",
  "agentHarness",
  "agents",
  "ancestorsOf",
  "childrenOf",
  "classify",
  "consumed",
  "createGraph",
  "derive",
  "diffGraphs",
  "eventLog",
  "lineSplitter",
  "loadAgent",
  "localLauncher",
  "mcpTools",
  "orchestrator",
  "pipeline",
  "providerHarness",
  "recordedHarness",
  "reduceEvent",
  "replHarness",
  "run",
  "runsOf",
  "threadOf",
  "usageOf",
  "views",
  "withRefs",
  "workspaceTools",
];

test("the library exports exactly these names, from source and from the built package", async () => {
  expect(Object.keys(await import("../../src/index.ts")).sort()).toEqual([...names].sort());
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const built = await import(join(ROOT, exports["."].default));
  expect(Object.keys(built).sort()).toEqual([...names].sort());
});

test("the version is that of the package", () => {
  expect(version).toBe(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version);
});

test("agents and views carry the ids they are listed under", async () => {
  const { agents, views } = await import("../../src/index.ts");
  for (const [id, agent] of Object.entries(agents)) expect(agent.id).toBe(id);
  for (const [id, view] of Object.entries(views)) expect(view.id).toBe(id);
});
