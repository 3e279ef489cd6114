import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { HarnessEvent } from "../../../../src/pure/events/harness-event.ts";
import { agentHarness } from "../../../../src/work/native/agent-harness.ts";
import { providerHarness } from "../../../../src/work/native/provider-harness.ts";
import { workspaceTools } from "../../../../src/work/native/workspace-tools.ts";
import { accessTo, all, closed, countedIds, models, only, scripted } from "../support.ts";
import { type Mistake, mistakes, type ScriptedTurn } from "./mistakes.ts";
import { type Changed, filesIn, solved, type Task, tasks, workspaceOf } from "./tasks.ts";

const dialects = Object.values(models);

type Way = (file: Changed) => readonly ScriptedTurn[];

/** How a model writes a file. */
const WAYS: readonly Way[] = [
  ({ path, before, after }) => [
    ...(before === undefined ? [] : [{ tools: [{ name: "read", input: { path } }] }]),
    { tools: [{ name: "write", input: { path, content: after, overwrite: true } }] },
  ],
  ({ path, after }) => [
    { tools: [{ name: "shell", input: { command: `rm -f ${path}` } }] },
    {
      tools: [
        {
          name: "apply_patch",
          input: { patchText: ["*** Begin Patch", `*** Add File: ${path}`, ...linesOf(after), "*** End Patch"].join("\n") },
        },
      ],
    },
  ],
  ({ path, after }) => [
    { tools: [{ name: "write", input: { path, content: "TODO\n", overwrite: true } }] },
    { tools: [{ name: "edit", input: { path, before: "TODO\n", after: after } }] },
  ],
];

function linesOf(text: string): readonly string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `+${line}`);
}

/** Each task twice, with two different mistakes; the protocols and the ways to write a file take turns. */
const sessions = tasks.flatMap((task, index) =>
  [0, 1].map((half) => {
    const number = 2 * index + half;
    const mistake = mistakes[number % mistakes.length] as Mistake;
    return {
      task,
      mistake,
      model: mistake.model ?? dialects[(number + half) % dialects.length] ?? "",
      way: WAYS[number % WAYS.length] as Way,
    };
  }),
);

test("there are at least 60 sessions, and every mistake is made", () => {
  expect(sessions.length).toBeGreaterThanOrEqual(60);
  expect(new Set(sessions.map(({ mistake }) => mistake)).size).toBe(mistakes.length);
});

describe("a session solves its task in spite of a mistake", () => {
  test.each(sessions.map((session) => [session.task.id, session.mistake.name, session.model, session] as const))(
    "%s, with %s, over %s",
    { timeout: 60_000 },
    async (_, __, model, { task, mistake, way }) => {
      const root = workspaceOf(task);
      const events = await played(root, task, model, [
        ...mistake.turns(task.files[0] as Changed, otherOf(task)),
        ...task.files.flatMap(way),
        { text: "Done." },
      ]);
      closed(events);
      expect(events.at(-1)).toMatchObject({ type: "harness_end", reason: "final" });
      expect([...filesIn(root)]).toEqual([...solved(task)]);
      expect(saidBy(events)).toMatch(mistake.says);
      expect(existsSync("/etc/harness-was-here")).toBe(false);
    },
  );
});

async function played(root: string, task: Task, model: string, turns: readonly ScriptedTurn[]): Promise<readonly HarnessEvent[]> {
  const newId = countedIds();
  const server = await scripted(JSON.stringify({ turns }));
  const agent = agentHarness({ provider: providerHarness({ ...accessTo(server, model), newId }), newId, firstWaitMs: 1 });
  const session = agent.session({ model, tools: await workspaceTools({ root }), permissions: { allowlist: ["*"], root } });
  return await all(session.send(`Solve ${task.id}.`));
}

/** A file that the solution does not change. */
function otherOf({ workspace, files }: Task): string {
  return [...filesIn(workspace).keys()].find((path) => !files.some((file) => file.path === path)) ?? "";
}

/** Everything that the agent answered, and its errors. */
function saidBy(events: readonly HarnessEvent[]): string {
  const results = only(events, "tool_result").map(({ output }) =>
    Object.values(output as object).filter((value) => typeof value === "string"),
  );
  return [...results.flat(), ...only(events, "error").map(({ message }) => message)].join("\n");
}
