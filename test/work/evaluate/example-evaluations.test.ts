import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadScenarios } from "../../../src/work/model/load-scenarios.ts";
import { serveModel } from "../../../src/work/model/serve-model.ts";
import { cleanUp, directory, harness, jsonLines, ROOT } from "../../support/harness.ts";
import { strictFlaw } from "../../support/strict-flaw.ts";

/** The evaluations under examples/, unchanged, with our own agent as a real process and two scripted models. */

afterAll(cleanUp);

const hasWalls = process.platform === "linux" && spawnSync("bwrap", ["--ro-bind", "/", "/", "true"]).status === 0;

describe("examples/evaluations", { timeout: 10 * 60_000 }, () => {
  const folder = directory();
  const at = (name: string) => join(folder, "examples/evaluations", name);
  const models: Awaited<ReturnType<typeof serveModel>>[] = [];
  let env: Readonly<Record<string, string>> = {};

  beforeAll(async () => {
    cpSync(join(ROOT, "examples"), join(folder, "examples"), { recursive: true });
    execFileSync(process.execPath, [join(folder, "examples/tasks/scenarios.mjs"), at("models")]);
    for (const name of ["good", "careless"])
      models.push(await serveModel({ scenarios: loadScenarios([at(`models/${name}`)]), port: 0, onEntry: () => {} }));
    const [careful, careless] = models.map(({ url }) => `${url}/v1`);
    env = {
      XDG_DATA_HOME: join(folder, "data"),
      LOCAL_MODEL_URL: String(careful),
      MODEL_URL: String(careful),
      OPENROUTER_BASE_URL: String(careless),
      OPENROUTER_API_KEY: "none",
    };
  });
  afterAll(async () => {
    for (const model of models) await model.close();
  });

  /** The side's name, and how many of its trials passed. */
  async function run(name: string) {
    const { code, stdout, stderr } = await harness(["evaluate", at(`${name}.yaml`)], { env });
    expect(code, stderr).toBe(0);
    const lines = jsonLines(readFileSync(at(`${name}.results.jsonl`), "utf8")) as Record<string, unknown>[];
    for (const line of lines) expect(strictFlaw("trial-result", line)).toBeUndefined();
    const [report] = jsonLines(stdout) as { sides: { label: string; classes: { passed: number; failed: number } }[] }[];
    expect(strictFlaw("comparison", report)).toBeUndefined();
    expect(readFileSync(at(`${name}.html`), "utf8")).toContain("</html>");
    return { lines, sides: report?.sides.map(({ label, classes }) => `${label}: ${classes.passed} of ${classes.passed + classes.failed}`) };
  }

  test("two agents", async () => {
    const { sides, lines } = await run("two-agents");
    expect(sides).toEqual(["ours: 8 of 8", "tiny: 8 of 8"]);
    const ours = lines.filter(({ agent }) => agent === "ours").flatMap(({ trials }) => trials as Record<string, unknown>[]);
    expect(ours.map(({ behavior }) => (behavior as { calls: number }).calls)).toEqual(Array.from({ length: 8 }, () => 2));
  });

  test("two models of one agent: a gate holds, and a stricter one does not", async () => {
    const { sides } = await run("two-models");
    expect(sides).toEqual(["careful: 8 of 8", "careless: 6 of 8"]);
    const strict = await harness(["compare", at("two-models.results.jsonl"), "--gate", "careless: pass-rate >= 90 %"], { env });
    expect(strict).toMatchObject({ code: 1, stderr: expect.stringContaining("careless: pass-rate is 0.75") });
  });

  test.runIf(hasWalls)("a matrix with isolation", async () => {
    const { sides, lines } = await run("matrix");
    expect(sides).toEqual(["careful: 2 of 2", "careful with walls: 2 of 2", "careless: 1 of 2", "careless with walls: 1 of 2"]);
    const levels = lines.flatMap(({ agent, trials }) =>
      (trials as { isolation?: { level: string } }[]).map(({ isolation }) => `${String(agent)}: ${isolation?.level ?? "none"}`),
    );
    expect([...new Set(levels)].sort()).toEqual([
      "careful with walls: files",
      "careful: none",
      "careless with walls: files",
      "careless: none",
    ]);
    for (const kind of ["md", "csv", "xml"]) expect(readFileSync(at(`matrix.${kind}`), "utf8")).toContain("careless with walls");
  });
});
