import { afterAll, expect, test } from "vitest";
import { run } from "../../../../src/host/recording/write/run.ts";
import { agents } from "../../../../src/pure/agents/agents.ts";
import type { Agent } from "../../../../src/pure/pipeline/index.ts";
import { cleanUp, LONG_MS, place } from "../../../support/place.ts";

afterAll(cleanUp);

/** Says which signals it gets. `ends`: the one that it obeys. */
function listener(ends: "INT" | "TERM", more: Partial<Agent>): Agent {
  const trap = (name: string) => `trap 'echo ${name}${name === ends ? "; exit 0" : ""}' ${name}`;
  const script = `${trap("INT")}; ${trap("TERM")}; echo up; while :; do sleep 0.05; done`;
  return { ...agents.generic, id: "listener", title: "Listener", binaries: ["sh"], command: () => ({ args: ["-c", script] }), ...more };
}

/** What it printed after a time limit stopped it. */
async function heard(agent: Agent): Promise<readonly string[]> {
  const { root } = place();
  const call = { agent, prompt: "Go.", view: "result", timeoutMs: 1500, graceMs: 2000, dataDirectory: root } as const;
  for await (const { output } of run(call)) return output?.trim().split("\n") ?? [];
  return [];
}

test("U3: an agent that reports on SIGINT gets SIGINT first, then SIGTERM", { timeout: LONG_MS }, async () => {
  expect(await heard(listener("INT", { reportsOnInterrupt: true }))).toEqual(["up", "INT"]);
  expect(await heard(listener("TERM", { reportsOnInterrupt: true }))).toEqual(["up", "INT", "TERM"]);
});

test("U3: every other agent gets SIGTERM alone", { timeout: LONG_MS }, async () => {
  expect(await heard(listener("TERM", {}))).toEqual(["up", "TERM"]);
});

test("U3: Claude is one that reports on SIGINT", () => {
  expect(agents.claude.reportsOnInterrupt).toBe(true);
});
