import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pins } from "../../../src/work/conformance/agents/pins.ts";
import { corpus, readCorpusScenario } from "../../../src/work/conformance/corpus.ts";
import { exceptionRows, exceptionsOf } from "../../../src/work/conformance/exceptions.ts";

/** The expectations for one agent follow from the shared ones, the agent's own part, and its pin. */

const SCENARIOS = join(import.meta.dirname, "../../../scenarios");

const read = (text: string) => readCorpusScenario(text, "/scenarios/name.yaml", pins);

describe("a scenario", () => {
  test("applies to every agent with the tools and options it needs", () => {
    expect(read("turns: [{ text: hi }]").agents).toEqual([...pins.keys()].filter((id) => id !== "rlm"));
    expect(read("turns: [{ text: hi }]\nrun: { agents: [rlm] }").agents).toEqual(["rlm"]);
    expect(read("turns: [{ tools: [{ patch: x }] }]").agents).not.toContain("claude");
    expect(read('turns: [{ text: hi }]\nrun: { options: [--max-turns, "1"] }').agents).toEqual(["claude", "goose", "native"]);
    expect(read("turns: [{ text: hi }]\nrun: { mcp: true }").agents).not.toContain("pi");
    expect(read("turns: [{ tools: [{ agent: { prompt: p, background: true } }] }]").agents).not.toContain("gemini");
    expect(read("turns: [{ text: hi }]\nrun: { agents: [pi] }").agents).toEqual(["pi", "pi-new"]);
  });

  test("expects the texts of its script from all agents by default", () => {
    const scenario = read("turns: [{ text: a }, { text: { repeat: b, times: 3 } }, {}]\nexpect: { pi: { messages: [c] } }");
    expect(scenario.for("claude").expected).toMatchObject({ status: "completed", messages: ["a", "bbb"], usage: "ledger" });
    expect(scenario.for("pi").expected.messages).toEqual(["c"]);
    expect(scenario.for("pi-new").expected.messages).toEqual(["c"]);
  });

  test("the part of an agent's second pin overrides the agent's part", () => {
    const scenario = read("turns: [{ text: a }]\nexpect: { unknown: 1, pi: { status: failed, unknown: 2 }, pi-new: { unknown: 3 } }");
    expect(scenario.for("pi-new").expected).toMatchObject({ status: "failed", unknown: 3 });
    expect(scenario.for("claude").expected).toMatchObject({ status: "completed", unknown: 1 });
  });

  test("adds the marker to its prompt", () => {
    expect(read("turns: [{ text: a }]").for("claude").asked.prompt).toBe("Do what the script says. [[name]]");
    expect(read("turns: [{ text: a }]\nrun: { prompt: 'do [[it]]' }").for("claude").asked.prompt).toBe("do [[it]]");
  });

  test.each([
    ["run: { agent: [claude] }", "run.agent is not a known key"],
    ["expect: { stauts: failed }", "expect.stauts is not a known key"],
    ["expect: { claude: { stauts: failed } }", "expect.claude.stauts is not a known key"],
    ["why: { somewhere: because }", "why.somewhere is not a known key"],
  ])("%s is rejected", (text, sentence) => {
    expect(() => read(`turns: [{ text: a }]\n${text}`)).toThrow(sentence);
  });
});

describe("exceptions", () => {
  const of = (expect: string, why = "{}") => exceptionsOf(new Map(), [read(`turns: [{ text: a }]\nexpect: ${expect}\nwhy: ${why}`)]);

  test("are expectations for a single agent, with the reason", () => {
    expect(of("{ kilo: { turns: 1 }, goose: { status: failed, turns: 1 } }", '{ "goose, kilo": It gives up. }')).toEqual([
      { agent: "goose", what: ["status", "turns"], why: "It gives up.", scenarios: ["name"] },
      { agent: "kilo", what: ["turns"], why: "It gives up.", scenarios: ["name"] },
    ]);
    expect(of("{ goose: { status: failed } }")).toMatchObject([{ why: undefined }]);
  });

  test("are neither the names of an agent's warnings and errors nor shared expectations", () => {
    expect(of("{ status: failed, goose: { status: failed, warnings: [retry], errors: any, unknown: 2 } }")).toEqual([]);
  });

  test("follow from the pins too", () => {
    const facts = exceptionsOf(pins, []);
    expect(facts.filter(({ agent }) => agent === "gemini").map(({ why }) => why)).toContain(
      "Its output does not show how a command ended.",
    );
    expect(facts.every(({ why }) => why !== undefined)).toBe(true);
  });

  test("with the same reason share a row", () => {
    const row = { what: ["status"], why: "It gives up." };
    const rows = exceptionRows([
      { ...row, agent: "opencode", scenarios: ["a"] },
      { ...row, agent: "kilo", scenarios: ["a"] },
      { ...row, agent: "kilo", what: ["turns"], scenarios: ["b"] },
    ]);
    expect(rows).toEqual([["`opencode`, `kilo`", "status, turns", "It gives up.", "`a`, `b`"]]);
  });
});

describe("the corpus", () => {
  const scenarios = corpus(SCENARIOS, pins);
  const exceptions = exceptionsOf(pins, scenarios);

  test("gives a reason for every expectation of a single agent", () => {
    const unreasoned = exceptions.filter(({ why }) => why === undefined);
    expect(unreasoned.map(({ agent, what, scenarios: names }) => `${names.join()}: ${agent} (${what.join(", ")}) needs a reason`)).toEqual(
      [],
    );
  });

  test("gives no reason without an exception", () => {
    const idle = exceptions.filter(({ what }) => what.length === 0);
    const shared = idle.filter(({ agent, scenarios: names }) => scenarios.some((each) => names.includes(each.name) && !isFor(each, agent)));
    expect(shared.map(({ agent, scenarios: names }) => `${names.join()}: ${agent} is as all the others`)).toEqual([]);
  });

  test("has a core for every agent", () => {
    expect(scenarios.length).toBeGreaterThan(40);
    for (const [id, { isNamed }] of pins)
      expect(scenarios.filter(({ isCore, agents }) => isCore && agents.includes(id)).length, id).toBeGreaterThan(isNamed ? 0 : 8);
  });
});

/** Whether a scenario is for one agent alone. */
function isFor({ agents }: { readonly agents: readonly string[] }, agent: string): boolean {
  return agents.every((id) => (pins.get(id)?.agent ?? id) === agent);
}
