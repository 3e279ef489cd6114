import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AgentCall, agentHarness } from "../../src/native/agent-harness.ts";
import { providerHarness } from "../../src/native/provider-harness.ts";
import { workspaceTools } from "../../src/native/workspace-tools.ts";
import { accessTo, all, countedIds, folder, models, only, scripted, textOf } from "./support.ts";

const messages = [{ role: "user" as const, content: "Go." }];

async function agentOn(scenario: string, model: string = models.anthropic) {
  const newId = countedIds();
  const root = folder();
  const provider = providerHarness({ ...accessTo(await scripted(scenario), model), newId });
  const agent = agentHarness({ provider, newId });
  const tools = await workspaceTools({ root });
  const invoke = (more: Partial<AgentCall> = {}) => agent.invoke({ model, messages, tools, ...more });
  return { agent, root, tools, invoke };
}

describe.each(Object.entries(models))("an agent over %s", (_, model) => {
  test("writes, reads, runs, and is done", async () => {
    const { root, invoke } = await agentOn(
      `turns:
  - { text: First., tools: [{ write: { path: a/b.txt, content: hello } }, { run: "echo hi; exit 3" }] }
  - { tools: [{ read: a/b.txt }, { search: { query: hel, path: . } }, { list: a }] }
  - { tools: [{ edit: { path: a/b.txt, old: hello, new: bye } }] }
  - { text: Done. }`,
      model,
    );
    const events = await all(invoke({ permissions: { allowlist: ["*"] } }));
    console.log(events.map((e) => JSON.stringify(e)).join("\n"));
    expect(readFileSync(join(root, "a/b.txt"), "utf8")).toBe("bye");
    expect(events.at(-1)).toMatchObject({ type: "harness_end", reason: "final", iterations: 4 });
  });
});
