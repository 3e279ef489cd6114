import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import { type AgentPermissions, permissionDesk } from "../../../src/work/native/permissions.ts";
import { levelPermissions } from "../../../src/work/native/program/level-permissions.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { accessTo, all, closed, countedIds, folder, models, only, scripted } from "./support.ts";

describe("permissions", () => {
  const decided = (permissions: AgentPermissions, ...calls: readonly (readonly [string, unknown])[]) => {
    const desk = permissionDesk(permissions);
    return calls.map(([tool, input]) => desk.decide(tool, input).decision);
  };
  const git = (command: string) => ["shell", { command }] as const;

  test("a call without a matching rule needs approval", () => {
    expect(decided({}, ["read", {}])).toEqual(["ask"]);
  });

  test("a name, a glob of names, and globs of parameters, all of which must match", () => {
    const permissions = { allowlist: ["read", "demo__*", { tool: "write", params: { path: "src/*", content: "*" } }] };
    expect(
      decided(permissions, ["read", {}], ["demo__echo", {}], ["write", { path: "src/a", content: "" }], ["write", { path: "src/a" }]),
    ).toEqual(["allow", "allow", "allow", "ask"]);
  });

  test("a path counts by its target, not by its spelling", () => {
    const root = "/home/dev/shop";
    const permissions = {
      root,
      allowlist: [{ tool: "write", params: { path: "src/*" } }],
      deny: [{ tool: "*", params: { path: ".env" } }],
    };
    const paths = ["src/../key.pem", "./src/a.ts", "/home/dev/shop/src/a.ts", "/home/dev/shop/.env", "src/../.env", "/home/dev/src/a.ts"];
    expect(decided(permissions, ...paths.map((path) => ["write", { path }] as const))).toEqual([
      "ask",
      "allow",
      "allow",
      "deny",
      "deny",
      "ask",
    ]);
  });

  test("a patch concerns all files that it changes", () => {
    const permissions = {
      allowlist: [{ tool: "apply_patch", params: { path: "src/*" } }],
      deny: [{ tool: "*", params: { path: ".env" } }],
    };
    const patch = (...lines: readonly string[]) =>
      ["apply_patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") }] as const;
    expect(
      decided(
        permissions,
        patch("*** Add File: src/a", "+x", "*** Delete File: src/b"),
        patch("*** Add File: src/a", "+x", "*** Delete File: b"),
        patch("*** Add File: src/a", "+x", "*** Add File: src/../.env", "+x"),
        patch("*** Update File: src/a", "*** Move to: .env", "@@", "+x"),
        ["apply_patch", { patchText: "no patch" }],
        ["apply_patch", {}],
      ),
    ).toEqual(["allow", "ask", "deny", "deny", "ask", "ask"]);
  });

  test("a permission covers one command only; a denial covers any part of a command line", () => {
    const allow = { allowlist: [{ tool: "shell", params: { command: "git *" } }] };
    expect(decided(allow, git("git log"), git("git log; rm -r ."), git("git log $(rm x)"), git("git log\nrm x"))).toEqual([
      "allow",
      "ask",
      "ask",
      "ask",
    ]);
    const deny = { allowlist: ["*"], deny: [{ tool: "shell", params: { command: "rm *" }, reason: "No." }] };
    expect(decided(deny, git("ls && rm -r ."), git("ls"))).toEqual(["deny", "allow"]);
    expect(permissionDesk(deny).decide("shell", { command: "rm x" })).toEqual({ decision: "deny", reason: "No." });
  });

  test("a one-time permission works once each", () => {
    const permissions = { allowOnce: ["shell", { tool: "write", params: { path: "a" } }] };
    expect(decided(permissions, git("ls"), git("ls"), ["write", { path: "a" }], ["write", { path: "a" }])).toEqual([
      "allow",
      "ask",
      "allow",
      "ask",
    ]);
  });

  test("the levels of `harness run`", () => {
    const calls = [["read", {}], ["write", { path: "a" }], git("npm test"), git("npm test; curl x")] as const;
    expect(decided(levelPermissions("default", [], []), ...calls)).toEqual(["allow", "ask", "ask", "ask"]);
    expect(decided(levelPermissions("default", ["npm *", "write"], []), ...calls)).toEqual(["allow", "allow", "allow", "ask"]);
    expect(decided(levelPermissions("full", [], ["curl *"]), ...calls)).toEqual(["allow", "allow", "allow", "deny"]);
    expect(decided(levelPermissions("full", [], ["execute"]), ...calls)).toEqual(["allow", "allow", "deny", "deny"]);
  });
});

describe("asking", () => {
  const SCENARIO = `
watch: [Not today]
turns:
  - { tools: [{ write: { path: a, content: x } }, { list: . }, { write: { path: b, content: x } }] }
  - { text: Done. }`;

  async function start(given: AgentPermissions | ((root: string) => AgentPermissions), scenario = SCENARIO) {
    const newId = countedIds();
    const root = folder();
    const permissions = typeof given === "function" ? given(root) : given;
    const server = await scripted(scenario);
    const model = models.compatible;
    const agent = agentHarness({ provider: providerHarness({ ...accessTo(server, model), newId }), newId });
    const messages = [{ role: "user" as const, content: "Go." }];
    const events = agent.invoke({ model, messages, tools: await workspaceTools({ root }), permissions });
    return { agent, root, server, events };
  }

  test("a relay waits for its answer; other calls do not wait", async () => {
    const { agent, root, server, events } = await start({ allowlist: ["list"] });
    const seen: HarnessEvent[] = [];
    const relays: string[] = [];
    for await (const event of events) {
      seen.push(event);
      if (event.type === "relay") relays.push(event.id);
      if (relays.length !== 2) continue;
      const [first = "", second = ""] = relays.splice(0);
      expect(agent.resolveRelay(second, { decision: "allow" })).toBe(true);
      await expect.poll(() => existsSync(join(root, "b")), { timeout: 10_000 }).toBe(true);
      expect(agent.resolveRelay(first, { decision: "deny", reason: "Not today" })).toBe(true);
      expect(agent.resolveRelay(first, { decision: "allow" })).toBe(false);
    }
    closed(seen);
    expect(only(seen, "relay")).toMatchObject([
      { kind: "permission", toolCallId: "agent-1/call_0001_0", tool: "write", params: { path: "a", content: "x" } },
      { kind: "permission", toolCallId: "agent-1/call_0001_2", tool: "write", params: { path: "b", content: "x" } },
    ]);
    expect(only(seen, "tool_call").map(({ id }) => id)).toEqual(["agent-1/call_0001_1", "agent-1/call_0001_2"]);
    expect(only(seen, "tool_result")).toMatchObject([
      { id: "agent-1/call_0001_0", output: { status: "denied", reason: "Not today" }, input: { path: "a", content: "x" } },
      { id: "agent-1/call_0001_1", output: { context: expect.any(String) } },
      { id: "agent-1/call_0001_2", output: { context: expect.any(String) } },
    ]);
    expect(server.ledger[1]?.seen).toEqual(["Not today"]);
    expect(existsSync(join(root, "a"))).toBe(false);
  });

  test("S7: a link that is made between the answer and the use does not redirect a call", async () => {
    const deny = [{ tool: "*", params: { path: ".env" }, reason: "Never." }];
    for (const permissions of [(root: string) => ({ root }), () => ({ deny })]) {
      const { root, events, agent } = await start((given) => ({ ...permissions(given), allowlist: ["list"] }));
      writeFileSync(join(root, ".env"), "secret");
      const seen: HarnessEvent[] = [];
      for await (const event of events) {
        seen.push(event);
        if (event.type !== "relay") continue;
        symlinkSync(".env", join(root, (event.params as { path: string }).path));
        agent.resolveRelay(event.id, "once");
      }
      closed(seen);
      expect(readFileSync(join(root, ".env"), "utf8")).toBe("secret");
    }
  });

  test("S7: a rule is applied to what a link leads to, also without a root", async () => {
    const deny = [{ tool: "*", params: { path: ".env" }, reason: "Never." }];
    for (const known of [true, false]) {
      const { root, events } = await start((root) => ({ allowlist: ["*"], deny, ...(known && { root }) }));
      writeFileSync(join(root, ".env"), "secret");
      symlinkSync(".env", join(root, "a"));
      const seen = await all(events);
      const [first, , third] = only(seen, "tool_result");
      expect(first?.output).toEqual(known ? { status: "denied", reason: "Never." } : { error: "Never." });
      expect(third?.output).toMatchObject({ context: expect.any(String) });
      expect(readFileSync(join(root, ".env"), "utf8")).toBe("secret");
    }
  });

  test("a file in a directory that does not exist yet is judged by its own path", async () => {
    const scenario = "turns: [{ tools: [{ write: { path: new/dir/a, content: x } }] }, { text: Done. }]";
    const { root, events } = await start((cwd) => ({ allowlist: [{ tool: "write", params: { path: "new/*" } }], root: cwd }), scenario);
    expect(only(await all(events), "tool_result")).toMatchObject([{ output: { context: "Created new/dir/a (1 bytes)." } }]);
    expect(readFileSync(join(root, "new/dir/a"), "utf8")).toBe("x");
  });

  test("a denying rule asks no user and runs nothing", async () => {
    const { root, events } = await start({ allowlist: ["*"], deny: [{ tool: "write", reason: "Read only." }] });
    const seen = await all(events);
    closed(seen);
    expect(only(seen, "relay")).toEqual([]);
    expect(only(seen, "tool_result")[0]?.output).toEqual({ status: "denied", reason: "Read only." });
    expect(existsSync(join(root, "a"))).toBe(false);
  });
});
