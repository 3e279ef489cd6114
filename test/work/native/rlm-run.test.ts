import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import type { DecisionEvent } from "../../../src/pure/views/decision/schema.ts";
import { BIN, cleanUp, directory, harness, jsonLines } from "../../support/harness.ts";
import { closed, only, textOf } from "./support.ts";

/** Everything that a program can do, including failures, in one conversation; the model has no tools. */
const SCENARIO = `
side: script
watch: ["3 lines", "It failed: ReferenceError", "apples red", "counted 3", "exec is not permitted: --deny touch *", "No user is available to approve it"]
turns:
  - { reasoning: First the size., text: "Let me look.\\n\`\`\`js\\nconst lines = context.trim().split('\\\\n');\\nprint(lines.length, 'lines');\\n\`\`\`" }
  - { text: "\`\`\`js\\nprint(nowhere);\\n\`\`\`" }
  - text: |
      \`\`\`js
      const [kind, color] = llm_query(["What? [[rlm/kind]]", "Which color? [[rlm/color]]"]);
      print(kind, color);
      const count = sub_rlm("Count them. [[rlm/count]]", lines);
      print("counted", count);
      \`\`\`
  - text: |
      \`\`\`js
      for (const command of ["touch denied.txt", "cat /etc/hostname"]) {
        try { exec(command) } catch (error) { print(error.message) }
      }
      print(exec("echo allowed").output);
      \`\`\`
  - { text: "\`\`\`js\\nconst answer = \`\${count} \${color} \${kind}\`;\\nFINAL_VAR('answer');\\n\`\`\`" }
  - { text: "FINAL(Still the same.)" }
subagents:
  kind: { turns: [{ text: apples }] }
  color: { turns: [{ text: red }] }
  count: { turns: [{ text: "\`\`\`js\\nprint(context[0]);\\n\`\`\`" }, { text: "\`\`\`js\\nFINAL(context.length);\\n\`\`\`" }] }
`;

const KEY = "sk-canary-0123456789abcdef";
const LONG = { timeout: 120_000 };

const ledger: Record<string, unknown>[] = [];
let child: ReturnType<typeof spawn> | undefined;
let url = "";

beforeAll(async () => {
  const file = join(directory(), "rlm.yaml");
  writeFileSync(file, SCENARIO);
  const started = spawn(process.execPath, [BIN, "model", file], { stdio: ["ignore", "pipe", "ignore"] });
  child = started;
  const lines = createInterface({ input: started.stdout });
  url = await new Promise<string>((resolve) => lines.once("line", resolve));
  lines.on("line", (line) => ledger.push(JSON.parse(line)));
});

afterAll(async () => {
  const ended = new Promise((resolve) => child?.once("close", resolve));
  child?.kill("SIGTERM");
  await ended;
  cleanUp();
});

/** A place for recorded `rlm` runs, by the built program. */
function place() {
  const [cwd, data] = [directory(), directory()];
  writeFileSync(join(cwd, "fruit.txt"), "one\ntwo\nthree\n");
  const env = {
    XDG_DATA_HOME: data,
    ANTHROPIC_BASE_URL: url,
    OPENAI_BASE_URL: url,
    GOOGLE_GEMINI_BASE_URL: url,
    LOCAL_MODEL_URL: url,
    ANTHROPIC_API_KEY: KEY,
    OPENAI_API_KEY: KEY,
    GEMINI_API_KEY: KEY,
  };
  const run = async (model: string, args: readonly string[]) => {
    const common = ["run", "--model", model, "--allow", "echo *", "--deny", "touch *", "--cwd", cwd, "--view", "conversation"];
    const ran = await harness([...common, ...args, "--", "--context", join(cwd, "fruit.txt")], { env });
    return { ...ran, events: jsonLines(ran.stdout) as unknown as HarnessEvent[] };
  };
  const view = async (id: string) => jsonLines((await harness(["derive", "last", "--view", id, "--json"], { env })).stdout);
  return { cwd, env, run, view };
}

describe("harness run --agent rlm", () => {
  const sequences = new Map<string, unknown>();

  test.each(["anthropic/scripted", "openai/scripted", "google/scripted", "local/scripted"])(
    "works over the wire: %s",
    LONG,
    async (model) => {
      const { cwd, run } = place();
      const before = ledger.length;
      const { code, stderr, events } = await run(model, ["--agent", "rlm", "--prompt", "How many? [[rlm]]"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
      closed(events);
      const main = events[0]?.runId ?? "";
      const outputs = only(events, "repl_output");
      expect(outputs.filter(({ runId }) => runId === main).map(({ stdout, error, done }) => [stdout, error, done])).toEqual([
        ["3 lines\n", undefined, false],
        ["", "ReferenceError: 'nowhere' is not defined (line 1)", false],
        ["apples red\ncounted 3\n", undefined, false],
        [
          "exec is not permitted: --deny touch *\nexec is not permitted: No user is available to approve it (--permissions default).\nallowed\n",
          undefined,
          false,
        ],
        ["", undefined, true],
      ]);
      expect(outputs.filter(({ runId }) => runId !== main).map(({ stdout, done }) => [stdout, done])).toEqual([
        ["one\n", false],
        ["", true],
      ]);
      expect(only(events, "user").map(({ content }) => content)).toEqual([
        "How many? [[rlm]]",
        "What? [[rlm/kind]]",
        "Which color? [[rlm/color]]",
        "Count them. [[rlm/count]]",
      ]);
      expect(textOf(events.filter(({ runId }) => runId === main))).toBe("3 red apples");
      expect(only(events, "relay").map(({ params }) => params)).toEqual([{ command: "cat /etc/hostname" }]);
      expect(existsSync(join(cwd, "denied.txt"))).toBe(false);
      expect(JSON.stringify(events)).not.toContain(KEY);
      const asked = ledger.slice(before);
      expect(asked.map(({ kind }) => kind).filter((kind) => kind !== "main" && kind !== "subagent")).toEqual([]);
      expect(new Set(asked.flatMap(({ seen }) => seen as string[])).size).toBe(6);
      // Texts are cut into different chunks, and two answers may come in either order; otherwise every dialect gives the same conversation.
      sequences.set(
        model,
        events
          .filter(({ type }) => !/^(text|reasoning|.*_progress)$/.test(type))
          .map(({ type }) => type)
          .sort(),
      );
      expect(sequences.get(model)).toEqual(sequences.get("anthropic/scripted"));
    },
  );

  test("is read like any other run: activity, conversation, graph, decision", LONG, async () => {
    const { env, run, view } = place();
    const { events } = await run("anthropic/scripted", ["--agent", "rlm", "--prompt", "How many? [[rlm]]"]);
    expect(await view("conversation")).toEqual(events);
    const activity = await view("activity");
    const shown = ({ type, subagentId, action, command, path, message, raw }: Record<string, unknown>) =>
      [type, subagentId && "sub", action, command, path, type === "agent" && !String(message).includes("```") && message, raw && "program"]
        .filter(Boolean)
        .join(" ");
    expect(activity.map(shown)).toEqual([
      "agent",
      "unknown program",
      "agent",
      "unknown program",
      "agent",
      "orchestration sub subagent_started",
      "orchestration sub subagent_started",
      ...activity.slice(7, 11).map(shown), // two answers, in either order
      "orchestration sub subagent_started",
      "agent sub",
      "unknown sub program",
      "agent sub",
      "unknown sub program",
      "agent sub 3",
      "orchestration sub subagent_completed",
      "agent",
      "command touch denied.txt",
      "read /etc/hostname",
      "command echo allowed",
      "unknown program",
      "agent",
      "unknown program",
      "agent 3 red apples",
    ]);
    expect(activity.slice(7, 11).map(shown).sort()).toEqual([
      "agent sub apples",
      "agent sub red",
      "orchestration sub subagent_completed",
      "orchestration sub subagent_completed",
    ]);

    const [graph] = (await view("graph")) as unknown as {
      nodes: { id: string; type: string }[];
      edges: { source: string; targets: string[] }[];
    }[];
    const main = events[0]?.runId ?? "";
    const own = (graph?.nodes ?? []).filter(({ id }) => id.startsWith(main)).map(({ id }) => id.slice(main.length));
    expect(own).toEqual([
      ":start",
      "/user-0",
      "/repl-0",
      "/repl-0:progress",
      "/repl-0:result",
      "/repl-1",
      "/repl-1:result",
      "/repl-2",
      "/repl-2:progress",
      "/repl-2:result",
      "/repl-3",
      "/exec-1:result",
      "/repl-3:progress",
      "/exec-2:result",
      "/exec-3",
      "/exec-3/progress-0",
      "/exec-3:result",
      "/repl-3:result",
      "/repl-4",
      "/repl-4:result",
      "/answer",
      ":end",
    ]);
    const below = only(events, "harness_start").filter(({ parentId }) => parentId === `${main}/repl-2`);
    expect(below.map(({ agent = "" }) => agent).sort()).toEqual(["provider", "provider", "rlm"]);
    const edges = new Set(graph?.edges.flatMap(({ source, targets }) => targets.map((target) => `${source} ${target}`)));
    expect(below.filter(({ runId }) => !edges.has(`${main}/repl-2 ${runId}:start`))).toEqual([]);

    const decisions = (await view("decision")) as unknown as DecisionEvent[];
    expect(decisions).toHaveLength(9);
    expect(new Set(decisions.map(({ observability_mode }) => observability_mode))).toEqual(new Set(["white_box"]));
    const { prompt_provenance: provenance } = decisions[8] ?? {};
    expect(provenance).toMatchObject({ provider: "anthropic", prompt_bundle: { system: expect.stringContaining("llm_query"), tools: [] } });
    const output = decisions.find(({ event_type }) => event_type === "artifacts_captured")?.model_output;
    expect(output?.tool_calls.map((call) => (call as { name: string }).name)).toEqual([
      "repl",
      "repl",
      "repl",
      "repl",
      "repl",
      "repl",
      "shell",
      "shell",
      "shell",
      "repl",
    ]);
    expect(output?.usage).toMatchObject({ input: 900, output: 90 });
    expect((await harness(["verify", "last"], { env })).code).toBe(0);
  });

  test("can be continued from any node, by a different model, as a run that names its parent", LONG, async () => {
    const { env, run } = place();
    const { events } = await run("anthropic/scripted", ["--agent", "rlm", "--prompt", "How many? [[rlm]]"]);
    const first = events[0]?.runId ?? "";
    const id = String(jsonLines((await harness(["sessions", "--json"], { env })).stdout)[0]?.["id"]);
    const query = only(events, "harness_start").find(({ parentId }) => parentId === `${first}/repl-2`)?.runId;
    const sub = only(events, "harness_start").find(({ depth, agent }) => depth === 1 && agent === "rlm")?.runId;
    // [the node, the next requested turn, how it ends]: a new console has no declarations.
    const places = [
      [`${first}:end`, 5, "Still the same."],
      [`${first}/repl-1:result`, 2, "undefined red apples"],
      [`${first}/repl-0`, 1, "undefined red apples"],
      [`${query}/text-0`, 3, "Still the same."],
      [`${sub}/repl-0:result`, 1, "14"],
    ] as const;
    for (const [at, turn, answer] of places) {
      const before = ledger.length;
      const isEnd = at === `${first}:end`;
      const fork = await run("openai/scripted", ["--resume", id, ...(isEnd ? [] : ["--at", at]), "--prompt", "Sure?"]);
      expect([fork.code, fork.stderr, at]).toEqual([0, "", at]);
      const [start] = fork.events;
      expect(start).toMatchObject({ type: "harness_start", agent: "rlm", model: "openai/scripted", parentId: at });
      closed(fork.events.map((event) => (event.parentId === at ? root(event) : event)));
      expect(textOf(fork.events).endsWith(answer), textOf(fork.events)).toBe(true);
      expect(ledger[before], at).toMatchObject({ dialect: "openai-responses", turn });
    }
    const nowhere = await run("openai/scripted", ["--resume", id, "--at", "nowhere", "--prompt", "Sure?"]);
    expect(nowhere).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `harness: The graph of the run ${id} has no node "nowhere". List the nodes with "harness graph <run>".\n`,
    });
  });
});

/** The runs that it resumes are in a different recording. */
function root(event: HarnessEvent | undefined): HarnessEvent {
  const { parentId: _, ...rest } = event ?? { type: "user", runId: "", content: "" };
  return rest as HarnessEvent;
}
