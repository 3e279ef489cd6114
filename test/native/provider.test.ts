import { jsonSchema } from "ai";
import { describe, expect, test } from "vitest";
import { providerHarness } from "../../src/native/provider-harness.ts";
import { accessTo, all, countedIds, KEY, models, only, scripted, served, textOf } from "./support.ts";

const messages = [{ role: "user" as const, content: "Go." }];
const tools = {
  read: { description: "Reads", inputSchema: jsonSchema<unknown>({ type: "object", properties: { path: { type: "string" } } }) },
};

const ANSWER = `
turns:
  - reasoning: I think about it.
    text: I will look at the readme.
    tools: [{ name: read, input: { path: README.md } }, { name: read, input: "{ not json" }]
    usage: { input: 100, cacheRead: 20, output: 30, reasoning: 5 }
    chunk: { size: 5 }
`;

describe.each(Object.entries(models))("the provider harness speaks %s", (dialect, model) => {
  const provider = async (scenario: string, options: object = {}) =>
    providerHarness({ ...accessTo(await scripted(scenario), model), newId: countedIds(), ...options });

  test("text, reasoning and usage with stable ids, then the calls, between a start and an end", async () => {
    const events = await all((await provider(ANSWER)).invoke({ model, messages, tools }));
    console.log(dialect, JSON.stringify(events.filter((e) => e.type !== "text")));
    expect(textOf(events)).toBe("I will look at the readme.");
  });
  for (const fault of [
    "429",
    "{ status: 429, headers: { retry-after: 7 } }",
    "{ cut: mid-text }",
    "{ cut: before-stop }",
    "{ error: overloaded }",
    "{ error: context }",
  ])
    test(`fault ${fault}`, async () => {
      const events = await all(
        (await provider(`turns: [{ text: "A text that is long enough to come in pieces.", fault: ${fault} }]`)).invoke({
          model,
          messages,
          tools,
        }),
      );
      console.log(dialect, fault, JSON.stringify(events.filter((e) => e.type !== "text")));
      expect(events.at(-1)).toMatchObject({ type: "harness_end", reason: "error" });
      expect(JSON.stringify(events)).not.toContain(KEY);
    });
});
