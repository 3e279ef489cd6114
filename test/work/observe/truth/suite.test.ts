import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Truth } from "../../../../src/pure/views/truth/schema.ts";
import { truth as view } from "../../../../src/pure/views/truth/view.ts";
import { loadFixtures, replay } from "../../../support/fixtures.ts";
import { sample, shareOf } from "../../../support/full.ts";
import { cleanUp } from "../../../support/harness.ts";
import { installed, observed } from "../real-agents.ts";
import { type Case, hasTrace, type Liar, namedBy, observeCase, type Way } from "./case.ts";
import { HONEST, PASS, RUN_TESTS } from "./honest.ts";
import { LIARS } from "./liars.ts";
import { BROKEN, FIXED, makeWorkspace } from "./workspace.ts";

/**
 * Lying agents, none of which `truth` may call consistent, and honest ones, none of which it may contradict. Each is a real process. `npm
 * run truth` runs all of them and publishes the rates; `npm test` runs a sample.
 */

const base = join(tmpdir(), `harness-truth-${process.pid}`);
const workspace = join(base, "workspace");

beforeAll(() => {
  mkdirSync(workspace, { recursive: true });
  makeWorkspace(workspace);
});
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
  cleanUp();
});

const SIGHTS: readonly Way["sight"][] = hasTrace ? ["wrap", "trace"] : ["wrap"];

/** Each agent is seen in each way, and reports in each format, though not in every combination. */
function inWays<Of extends Case>(cases: readonly Of[], formats: readonly [Way["format"], ...Way["format"][]]) {
  return SIGHTS.flatMap((sight, turn) =>
    cases.map((each, index) => ({ each, format: formats[(index + turn) % formats.length] ?? formats[0], sight })),
  );
}

const liars = inWays<Liar>(LIARS, ["claude", "codex"]);
const honest = [...inWays(HONEST, ["claude", "codex"]), ...inWays(HONEST.slice(0, 12), ["plain"])];
const someLiars = sample(liars, 12);
const someHonest = sample(honest, 16);
let made = 0;

/** For `npm run truth`. */
function published(
  truth: Truth,
  about: { readonly kind: "lie" | "honest" | "real" | "recorded"; readonly name: string; readonly sight: string },
): Truth {
  const to = process.env["HARNESS_TRUTH_RESULTS"];
  if (to !== undefined) appendFileSync(to, `${JSON.stringify({ ...about, verdict: truth.verdict, rules: namedBy(truth) })}\n`);
  return truth;
}

async function answerFor(each: Case, way: Way, isLie: boolean) {
  const place = join(base, String(made++));
  try {
    return published(await observeCase(each, way, place, workspace), { kind: isLie ? "lie" : "honest", name: each.name, ...way });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

describe(`liars (${shareOf(someLiars, liars)})`, () => {
  test.concurrent.each(someLiars)("$each.name ($format, $sight)", { timeout: 600_000 }, async ({ each, format, sight }) => {
    const truth = await answerFor(each, { format, sight }, true);
    expect(truth.verdict, JSON.stringify(truth)).not.toBe("consistent");
    expect(namedBy(truth), JSON.stringify(truth)).toContain(sight === "wrap" ? (each.unseenRule ?? each.rule) : each.rule);
  });
});

describe(`honest agents (${shareOf(someHonest, honest)})`, () => {
  test.concurrent.each(someHonest)("$each.name ($format, $sight)", { timeout: 600_000 }, async ({ each, format, sight }) => {
    const truth = await answerFor(each, { format, sight }, false);
    expect(truth.findings).toEqual([]);
  });
});

/** The real CLIs, on the scripted model, run the tests in these ways. They are downloaded by the corpus. */
const real = installed.flatMap((agent) =>
  RUN_TESTS.flatMap((command, index) => (index % 4 === 0 ? [{ agent, command, name: `truth-${index}`, id: agent.id }] : [])),
);
const someReal = sample(real, 2);

describe.skipIf(real.length === 0)(`real agents (${shareOf(someReal, real)})`, () => {
  test.concurrent.each(someReal)("$id: $command", { timeout: 600_000 }, async ({ agent, command, name }) => {
    const file = join(base, `${name}.yaml`);
    const edit = { path: "sum.js", old: BROKEN.trim(), new: FIXED.trim() };
    const turns = [{ tools: [{ read: "sum.js" }] }, { tools: [{ edit }] }, { tools: [{ run: command }] }, { text: PASS }];
    writeFileSync(file, JSON.stringify({ about: "Fixes the sum.", turns }));
    const { truth, stderr } = await observed(agent, name, ["--permissions", "full"], { file, makeWorkspace });
    published(truth, { kind: "real", name: `${agent.id}: ${command}`, sight: "wrap" });
    expect(truth.compared.calls, stderr).toBeGreaterThan(1);
    expect(truth.findings).toEqual([]);
  });
});

test("there are more than 40 distinct lying agents, and more than 200 honest runs", () => {
  expect(new Set(LIARS.map(({ name }) => name)).size).toBeGreaterThan(40);
  expect(new Set(HONEST.map(({ name }) => name)).size).toBe(HONEST.length);
  expect(honest.length).toBeGreaterThan(200);
});

const OURS: ReadonlySet<string> = new Set(["generic", "native", "rlm"]);

/** Recordings of real CLIs, without observations: nothing can contradict them, and nothing may be made up. */
test("recordings of real CLIs are never contradicted", () => {
  const recorded = loadFixtures().filter(({ agent, provenance }) => !OURS.has(agent.id) && provenance === "recorded");
  for (const fixture of recorded) {
    const [truth] = replay(fixture, view);
    if (truth === undefined) throw new Error(`${fixture.name} has no verdict`);
    expect(truth.findings, fixture.name).toEqual([]);
    published(truth, { kind: "recorded", name: fixture.name, sight: "none" });
  }
  expect(recorded.length).toBeGreaterThan(200);
});
