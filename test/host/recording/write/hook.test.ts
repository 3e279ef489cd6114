import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Deciders } from "../../../../src/host/permissions/index.ts";
import { type DecisionPlace, planDecisions } from "../../../../src/host/recording/write/decision-place.ts";
import { openDecisions } from "../../../../src/host/recording/write/decisions.ts";
import { learnSecrets } from "../../../../src/host/secrets/index.ts";
import type { FactBody } from "../../../../src/pure/events/index.ts";
import { readAnswer } from "../../../../src/pure/events/relay-answer.ts";
import type { Permissions } from "../../../../src/pure/pipeline/index.ts";
import { LONG_MS } from "../../../support/place.ts";

const folder = mkdtempSync(join(tmpdir(), "harness-hook-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WRITE = { tool_name: "Write", tool_input: { file_path: join(folder, "a"), content: "x" }, tool_use_id: "c1", cwd: folder };

/** Starts the hook as an agent does: through a shell, with the call on stdin. */
async function asked({ hook }: Pick<DecisionPlace, "hook">, call: unknown = WRITE) {
  const child = spawn("sh", ["-c", hook], { stdio: ["pipe", "pipe", "pipe"] });
  const [out, error]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => error.push(chunk));
  child.stdin.on("error", () => {}).end(typeof call === "string" ? call : JSON.stringify(call));
  const [code] = (await once(child, "close")) as [number];
  const said = Buffer.concat(out).toString();
  const decision = said === "" ? undefined : JSON.parse(said).hookSpecificOutput.permissionDecision;
  return { permits: code === 0 && decision !== "deny", decision, code, reason: Buffer.concat(error).toString().trim() };
}

async function place(deciders: Deciders, permissions: Permissions = "default", speech: DecisionPlace["speech"] = "json") {
  const planned = planDecisions(speech);
  const facts: FactBody[] = [];
  const task = { prompt: "Go.", cwd: folder, permissions };
  const { close } = await openDecisions(planned, task, deciders, (fact) => facts.push(fact));
  return { ...planned, facts, close };
}

describe("a hook asks the run", { timeout: 4 * LONG_MS }, () => {
  test("and every decision is a record before the agent gets it", async () => {
    const enforce: Deciders["enforce"] = ({ operations }) =>
      operations.some((each) => each.kind === "write") ? { decision: "deny", reason: "no writes" } : { decision: "allow", reason: "reads" };
    const here = await place({ enforce });
    const read = { ...WRITE, tool_name: "Read" };
    expect([(await asked(here)).decision, (await asked(here, read)).decision]).toEqual(["deny", "allow"]);
    here.close();
    expect(here.facts).toEqual([
      { type: "permission-decision", callId: "c1", tool: "Write", decision: "deny", reason: "no writes" },
      { type: "permission-decision", callId: "c1", tool: "Read", decision: "allow", reason: "reads" },
    ]);
    expect(existsSync(here.folder)).toBe(false);
  });

  test("and a secret in the reason is masked before it reaches the agent", async () => {
    const secret = "sk-hook-0123456789";
    learnSecrets([{ name: "HOOK_KEY", value: secret }]);
    const here = await place({ enforce: () => ({ decision: "deny", reason: `${secret} is not "yours"` }) }, "default", "silent");
    expect((await asked(here)).reason).toBe(`${"*".repeat(secret.length)} is not "yours"`);
    here.close();
  });

  test.for<[Permissions, string | undefined]>([
    ["full", "allow"],
    ["read-only", "deny"],
    ["default", undefined],
  ])("at the level %s a call that nothing decides gets %s", async ([level, decision]) => {
    const here = await place({ enforce: () => undefined }, level);
    expect(await asked(here)).toMatchObject({ code: 0, decision });
    here.close();
    expect(here.facts.length).toBe(decision === undefined ? 0 : 1);
  });

  test("in the way each agent understands: Codex needs exit code 2", async () => {
    const here = await place({ onPermission: () => ({ decision: "deny", reason: "Not today." }) }, "full", "silent");
    expect(await asked(here)).toMatchObject({ code: 2, reason: "Not today." });
    here.close();
    const open = await place({ onPermission: () => "once" }, "default", "silent");
    expect(await asked(open)).toMatchObject({ code: 0, decision: undefined });
    open.close();
  });
});

describe("W5: a hook fails closed", { timeout: 4 * LONG_MS }, () => {
  test("if the run is gone, before it listens, and if the hook's own program is missing", async () => {
    const here = await place({ onPermission: () => "once" }, "full");
    here.close();
    const missing = here.hook.replace("hook.js", "none.js");
    for (const hook of [here.hook, planDecisions("silent").hook, missing])
      expect(await asked({ hook })).toMatchObject({ permits: false, code: 2 });
  });

  test("if the decision throws, is not valid, or cannot be recorded", async () => {
    for (const onPermission of [() => Promise.reject(new Error("x")), () => ({ approved: "yes" }) as never, () => undefined as never]) {
      const here = await place({ onPermission }, "full");
      expect(await asked(here)).toMatchObject({ permits: false, decision: "deny" });
      here.close();
    }
    const planned = planDecisions("json");
    const full = () => {
      throw new Error("disk full");
    };
    const { close } = await openDecisions(planned, { prompt: "", permissions: "full" }, {}, full);
    expect(await asked(planned)).toMatchObject({ permits: false, code: 2 });
    close();
  });

  test("if its input is not a call", async () => {
    const here = await place({}, "full");
    expect(await asked(here, "not JSON")).toMatchObject({ permits: false, code: 2 });
    here.close();
  });

  test("whatever comes over the wire: only a valid answer permits", async () => {
    const planned = planDecisions("silent");
    mkdirSync(planned.folder);
    let answer = "";
    const server = createServer((client) => client.on("data", () => client.end(answer)).on("error", () => {}));
    server.listen(join(planned.folder, "s"));
    await once(server, "listening");
    const fixed = [
      "",
      "\n",
      "{",
      "once",
      "true",
      '"yes"',
      '{"decision":"once"',
      '{"decision":"Once"}',
      '{"decision":"once","x":1}',
      "[]",
      "1",
    ];
    const sampled = fc.sample(fc.json(), { numRuns: 6, seed: 7 });
    for (answer of [...fixed, ...sampled, '"once"', '{"decision":"always"}']) {
      let value: unknown;
      let isJson = true;
      try {
        value = JSON.parse(answer);
      } catch {
        isJson = false;
      }
      const permits = isJson && (value === null || readAnswer(value).decision !== "deny");
      expect(await asked(planned), answer).toMatchObject({ permits });
    }
    server.close();
    rmSync(planned.folder, { recursive: true });
  });
});
