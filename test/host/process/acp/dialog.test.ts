import type { ClientContext } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { dialog } from "../../../../src/host/process/acp/dialog.ts";
import type { FactBody } from "../../../../src/pure/events/index.ts";
import type { Task } from "../../../../src/pure/pipeline/agent.ts";

const HELLO = { protocolVersion: 1 };

/** What we send to an agent that answers like this, and the facts we record. */
async function said(task: Partial<Task>, answers: Record<string, object>) {
  const requests: [string, object][] = [];
  const facts: FactBody[] = [];
  const agent = {
    request(method: string, params: object) {
      requests.push([method, params]);
      return Promise.resolve(answers[method] ?? {});
    },
  } as unknown as ClientContext;
  const rest = { env: {}, asks: false, record: (fact: FactBody) => facts.push(fact), onSession: () => {} };
  await dialog(agent, { task: { prompt: "Go.", cwd: "/w", ...task }, ...rest });
  return { requests, facts, methods: requests.map(([method]) => method) };
}

describe("a session to resume", () => {
  test("is resumed if the agent can, otherwise loaded", async () => {
    const can = { ...HELLO, agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } } };
    const resumed = await said({ resume: "s-7" }, { initialize: can });
    expect(resumed.requests.slice(1)).toEqual([
      ["session/resume", { sessionId: "s-7", cwd: "/w", mcpServers: [] }],
      ["session/prompt", { sessionId: "s-7", prompt: [{ type: "text", text: "Go." }] }],
    ]);
    expect((await said({ resume: "s-7" }, { initialize: HELLO })).methods).toEqual(["initialize", "session/load", "session/prompt"]);
  });
});

describe("what a session offers", () => {
  const session = {
    sessionId: "s",
    configOptions: [
      { id: "model", category: "model", currentValue: "a", options: [{ value: "a" }, { value: "b" }] },
      { id: "m", category: "mode", currentValue: "build", options: [{ name: "group", options: [{ value: "build" }, { value: "plan" }] }] },
    ],
  };

  test("a mode and a model among its options", async () => {
    const { requests } = await said({ permissions: "read-only", model: "b" }, { initialize: HELLO, "session/new": session });
    expect(requests.slice(2, 4)).toEqual([
      ["session/set_config_option", { sessionId: "s", configId: "m", value: "plan" }],
      ["session/set_config_option", { sessionId: "s", configId: "model", value: "b" }],
    ]);
  });

  test("the current mode and model are not requested again", async () => {
    const { methods } = await said({ permissions: "full", model: "a" }, { initialize: HELLO, "session/new": session });
    expect(methods).toEqual(["initialize", "session/new", "session/prompt"]);
  });

  test("models in their own field", async () => {
    const models = { currentModelId: "a", availableModels: [{ modelId: "a" }] };
    const { requests } = await said({ model: "c" }, { initialize: HELLO, "session/new": { sessionId: "s", models } });
    expect(requests[2]).toEqual(["session/set_model", { sessionId: "s", modelId: "c" }]);
  });

  test("a missing mode or model is reported", async () => {
    const { facts, methods } = await said(
      { model: "c", permissions: "read-only" },
      { initialize: HELLO, "session/new": { sessionId: "s" } },
    );
    expect(facts.map((fact) => fact.type === "warning" && fact.code)).toEqual(["mode", "model"]);
    expect(methods.at(-1)).toBe("session/prompt");
  });

  test("a session without an id is an error", async () => {
    const { facts, methods } = await said({}, { initialize: HELLO });
    expect(facts).toMatchObject([{ code: "no-session" }]);
    expect(methods).not.toContain("session/prompt");
  });
});
