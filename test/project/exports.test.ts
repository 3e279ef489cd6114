import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { version } from "../../src/pure/base/version.ts";
import { ROOT } from "./imports.ts";

const graph = ["ancestorsOf", "childrenOf", "createGraph", "diffGraphs", "reduceEvent", "runsOf", "threadOf", "usageOf"];

const native = ["agentHarness", "mcpTools", "orchestrator", "providerHarness", "recordedHarness", "replHarness", "workspaceTools"];

/** The public interface, by subpath. A name that leaves a list is a breaking change. */
const names: Readonly<Record<string, readonly string[]>> = {
  ".": [
    "EVENT_VERSION",
    "HarnessError",
    "LINE_CAP",
    "agents",
    "classify",
    "consumed",
    "derive",
    "eventLog",
    "lineSplitter",
    "loadAgent",
    "localLauncher",
    "openRecording",
    "pipeline",
    "record",
    "run",
    "views",
    "withRefs",
    ...graph,
    ...native,
  ],
  "./evaluate": [
    "balance",
    "calibrate",
    "calibrationPage",
    "capture",
    "caseDetails",
    "checkAdapter",
    "classOf",
    "compare",
    "csvReport",
    "csvTrials",
    "evaluate",
    "executeTrial",
    "gateOf",
    "gatesMissed",
    "grade",
    "htmlPieces",
    "htmlReport",
    "junitReport",
    "markdownReport",
    "openDefinition",
    "openTrialHost",
    "planEvaluation",
    "prefer",
    "readCalibration",
    "readResults",
    "shownTrials",
    "summarize",
    "summarizeAsMarkdown",
    "textPreferences",
    "textReport",
    "totals",
    "trend",
    "trendMarkdown",
    "trendText",
    "trials",
    "trialsIn",
    "validateRefs",
    "withControls",
  ],
  "./graph": graph,
  "./native": native,
  "./observe": ["bundle", "check", "livePolicy", "observe", "readScenario", "verify"],
};

/** The packages that a subpath loads immediately; all others are loaded on demand. */
const packages: Readonly<Record<string, readonly string[]>> = {
  ".": ["unbash"],
  "./evaluate": ["unbash", "yaml"],
  "./graph": [],
  "./native": ["unbash"],
  "./observe": ["unbash", "yaml"],
};

const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  exports: Record<string, { readonly types: string; readonly default: string } | string>;
};
const subpaths = Object.entries(exports).flatMap(([subpath, to]) => (typeof to === "string" ? [] : [{ subpath, ...to }]));

test("these are all subpaths", () => {
  expect(subpaths.map(({ subpath }) => subpath).sort()).toEqual(Object.keys(names).sort());
});

describe.each(subpaths)("$subpath", ({ subpath, types, default: built }) => {
  test("exports exactly these names, from source and from the built package", async () => {
    const source = built.replace("dist/", "src/").replace(".js", ".ts");
    expect(Object.keys(await import(join(ROOT, source))).sort()).toEqual([...(names[subpath] ?? [])].sort());
    expect(Object.keys(await import(join(ROOT, built))).sort()).toEqual([...(names[subpath] ?? [])].sort());
    expect(existsSync(join(ROOT, types))).toBe(true);
  });

  test("loads only these packages", () => {
    expect(loadedBy(`await import(${JSON.stringify(join(ROOT, built))});`)).toEqual(packages[subpath]);
  });
});

test("an agent loads neither the protocol's library nor a model's if it does not need them", () => {
  const data = mkdtempSync(join(tmpdir(), "harness-exports-"));
  const options = { agent: "generic", command: "echo {prompt}", prompt: "Hello.", dataDirectory: data };
  const program = `const { run } = await import(${JSON.stringify(join(ROOT, "dist/index.js"))});
    for await (const _ of run(${JSON.stringify(options)}));`;
  expect(loadedBy(program)).toEqual(["unbash"]);
  rmSync(data, { recursive: true });
});

/** The packages that a program loads. */
function loadedBy(program: string): readonly string[] {
  const hook = `import { writeSync } from "node:fs";
    export const load = (url, context, next) => (writeSync(1, url + "\\n"), next(url, context));`;
  const script = `import { register } from "node:module";
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});
    ${program}`;
  const urls = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
  expect(urls).toContain("/dist/");
  return [...new Set(urls.match(/(?<=\/node_modules\/)(?:@[^/]+\/)?[^/]+/g))].sort();
}

test("the version matches package.json", () => {
  expect(version).toBe(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version);
});

test("agents and views have the ids they are listed under", async () => {
  const { agents, views } = await import("../../src/index.ts");
  for (const [id, agent] of Object.entries(agents)) expect(agent.id).toBe(id);
  for (const [id, view] of Object.entries(views)) expect(view.id).toBe(id);
});
