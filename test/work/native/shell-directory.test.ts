import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import type { AgentPermissions } from "../../../src/work/native/permissions.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { accessTo, closed, countedIds, folder, models, only, scripted } from "./support.ts";

const model = models.anthropic;

async function run(scenario: string, permissions: AgentPermissions, answer: "once" | "always" | "deny" = "once") {
  const root = folder();
  mkdirSync(join(root, "secret"));
  mkdirSync(join(root, "open"));
  for (const name of ["secret", "open"]) writeFileSync(join(root, name, "file"), "x");
  const newId = countedIds();
  const server = await scripted(scenario);
  const agent = agentHarness({ provider: providerHarness({ ...accessTo(server, model), newId }), newId });
  const session = agent.session({ model, tools: await workspaceTools({ root }), permissions: { ...permissions, root } });
  const events: HarnessEvent[] = [];
  for await (const event of session.send("Go.")) {
    events.push(event);
    if (event.type === "relay") agent.resolveRelay(event.id, answer);
  }
  closed(events);
  return { root, events, session, agent };
}

const TWO = (first: string, second: string) => `
turns:
  - { tools: [{ name: shell, input: { command: "${first}" } }, { name: shell, input: { command: "${second}" } }] }
  - { tools: [{ name: shell, input: { command: "${second}" } }] }
  - { text: Done. }`;

test("K10: a command is judged in the directory that the one before it left, also within one turn", async () => {
  const deny = [{ tool: "*", params: { path: "secret/file" } }];
  const { root, events } = await run(TWO("cd secret", "rm -f file"), { allowlist: ["*"], deny });
  expect(existsSync(join(root, "secret/file"))).toBe(true);
  expect(only(events, "tool_call")).toHaveLength(1);
  const fine = await run(TWO("cd open", "rm -f file"), { allowlist: ["*"], deny });
  expect(existsSync(join(fine.root, "open/file"))).toBe(false);
});

test("K10: a relay names the directory, and “always” holds for that directory only", async () => {
  const { root, events } = await run(TWO("cd open", "ls"), { allowlist: [{ tool: "shell", params: { command: "cd *" } }] }, "always");
  expect(only(events, "relay").map(({ directory }) => directory)).toEqual([join(root, "open")]);
  expect(only(events, "tool_call")).toHaveLength(3);
});

test("K10: the directory lasts from one message to the next, and a fork starts in it", async () => {
  const { session, root } = await run(
    `
turns:
  - { tools: [{ name: shell, input: { command: "cd open" } }] }
  - { text: Done. }
  - { tools: [{ name: shell, input: { command: "pwd" } }] }
  - { text: Done. }`,
    { allowlist: ["*"] },
  );
  const events: HarnessEvent[] = [];
  for await (const event of session.fork().send("Where are you?")) events.push(event);
  expect(only(events, "tool_result")[0]?.output).toMatchObject({ context: join(root, "open") });
});
