import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { agentOfRun, dataOf, findRun, readManifest, runPaths } from "../../../src/host/recording/index.ts";
import { jsonLines, parseJsonLines } from "../../../src/pure/base/json-lines.ts";
import { observe } from "../../../src/work/observe/observe.ts";
import type { ObserveOptions } from "../../../src/work/observe/observe-options.ts";
import { judgeByRecording } from "../../../src/work/observe/verify/judge-by-recording.ts";
import { verify } from "../../../src/work/observe/verify/verify.ts";
import { LONG_MS } from "../../support/place.ts";
import { cleanUpFolders, folder, script } from "./support.ts";

/** T3: verify judges the verdicts again that depend on when something happened, on what was decided live, and on a policy. */

afterAll(cleanUpFolders);

const elsewhere = { dataDirectory: "/does/not/exist" };
// biome-ignore lint/suspicious/noExplicitAny: a test that breaks values breaks their types first
type Broken = any;

/** Claims a write that never was, and passing tests that it breaks afterwards. */
const LIAR = (() => {
  const call = (id: string, name: string, input: object) => ({
    type: "assistant",
    message: { id: `m${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    session_id: "s",
  });
  const result = (id: string, content: string) => ({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    session_id: "s",
  });
  const lines = [
    { type: "system", subtype: "init", session_id: "s", model: "m", cwd: ".", tools: [] },
    call("1", "Write", { file_path: "never.txt", content: "x" }),
    result("1", "File created successfully"),
    {
      type: "result",
      subtype: "success",
      is_error: false,
      result: "I wrote never.txt.",
      session_id: "s",
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  ];
  return `echo TODO > made.txt\n${lines.map((line) => `cat <<'E'\n${JSON.stringify(line)}\nE\nsleep 0.02`).join("\n")}`;
})();

const POLICY = `checks:
  - truth.consistent
  - id: scope.only_paths
    paths: ["src/**"]
  - id: custom.no_todo
    in: added
    forbid: TODO
`;

async function observed(options: Partial<ObserveOptions>): Promise<{ out: string; data: string }> {
  const base = folder();
  const [out, data] = [join(base, "out"), join(base, "data")];
  const { done } = await observe({
    agent: "claude",
    binary: script(base, LIAR),
    prompt: "Go.",
    dataDirectory: data,
    out,
    ...options,
  } as ObserveOptions);
  await done;
  return { out, data };
}

function policy(text: string, module?: string): string {
  const place = folder();
  if (module !== undefined) writeFileSync(join(place, "own.mjs"), module);
  writeFileSync(join(place, "policy.yaml"), text);
  return join(place, "policy.yaml");
}

const verdictsIn = (out: string): Broken[] => {
  const [, , , , , , , event] = parseJsonLines<Broken>(readFileSync(join(out, "events.jsonl"), "utf8"));
  return ["alignment", "quality", "policy"].flatMap((group) => event.evaluation[group].checks);
};

/** The events with a verdict turned into a pass, and all that follows from it. */
function passing(out: string, id: string): void {
  const path = join(out, "events.jsonl");
  const events = parseJsonLines<Broken>(readFileSync(path, "utf8"));
  for (const event of events)
    for (const group of ["alignment", "quality", "policy"]) {
      const part = event.evaluation?.[group];
      for (const check of part?.checks ?? []) if (check.id === id) check.status = "pass";
      if (part?.violations) part.violations = part.violations.filter((each: Broken) => each.id !== id);
    }
  writeFileSync(path, jsonLines(events));
}

const unjudged = (unchecked: readonly string[]) => unchecked.filter((each) => each.startsWith("verdicts of"));

describe("without the recording", () => {
  test.each<[string, Partial<ObserveOptions>, string[]]>([
    ["what the agent claims, and its permissions", { checks: ["truth.consistent", "scope.permissions"] }, ["truth.consistent"]],
    ["a policy", { policy: policy(POLICY) }, ["truth.consistent", "scope.only_paths", "custom.no_todo"]],
  ])("%s", { timeout: 2 * LONG_MS }, async (_, options, failed) => {
    const { out } = await observed(options);
    expect(
      verdictsIn(out)
        .filter(({ status }) => status === "fail")
        .map(({ id }) => id),
    ).toEqual(expect.arrayContaining(failed));
    const honest = await verify(out, elsewhere);
    expect(honest).toMatchObject({ ok: true, flaws: [] });
    expect(unjudged(honest.unchecked)).toEqual([]);
    const text = readFileSync(join(out, "events.jsonl"));
    for (const id of failed) {
      passing(out, id);
      const { ok, flaws } = await verify(out, elsewhere);
      expect({ id, ok, lines: flaws.map(({ line }) => line) }).toMatchObject({ ok: false, lines: expect.arrayContaining([8]) });
      writeFileSync(join(out, "events.jsonl"), text);
    }
  });

  test("a check of a module is named, and its code is not run", { timeout: 2 * LONG_MS }, async () => {
    const mark = join(folder(), "ran");
    const module = `import { appendFileSync } from "node:fs";\nexport const check = () => { appendFileSync(${JSON.stringify(mark)}, "x"); return { status: "fail", message: "No.", evidence: [{ note: "x" }] }; };\n`;
    const file = policy(`${POLICY}  - id: custom.own\n    module: ./own.mjs\n`, module);
    const { out, data } = await observed({ policy: file });
    expect(readFileSync(mark, "utf8")).toBe("x");
    const alone = await verify(out, elsewhere);
    expect(alone.flaws).toEqual([]);
    expect(unjudged(alone.unchecked)).toEqual([expect.stringMatching(/^verdicts of custom\.own: /)]);
    const whole = await verify(out, { dataDirectory: data });
    expect({ flaws: whole.flaws, unjudged: unjudged(whole.unchecked) }).toEqual({
      flaws: [],
      unjudged: [expect.stringContaining("custom.own: a module decided")],
    });
    expect(readFileSync(mark, "utf8")).toBe("x");
  });

  test("without its course, or with another, the observation is not complete", { timeout: 2 * LONG_MS }, async () => {
    const { out } = await observed({ checks: ["truth.consistent"] });
    const path = join(out, "artifacts/course.jsonl");
    const text = readFileSync(path, "utf8");
    const steps = parseJsonLines<Broken>(text);
    for (const [what, broken] of [
      ["missing", undefined],
      ["empty", ""],
      ["shorter", jsonLines(steps.slice(0, -1))],
      ["in pieces that do not fit", jsonLines(steps.map((step) => ("to" in step ? { ...step, to: step.to + 1 } : step)))],
      ["in another form", jsonLines([{ at: 1 }, ...steps])],
    ] as const) {
      if (broken === undefined) rmSync(path);
      else writeFileSync(path, broken);
      const { flaws } = await verify(out, elsewhere);
      expect({ what, problems: flaws.map(({ problem }) => problem).join("\n") }).toMatchObject({
        problems: expect.stringContaining("artifacts/course.jsonl"),
      });
      writeFileSync(path, text);
    }
    expect((await verify(out, elsewhere)).flaws).toEqual([]);
  });
});

test("a redacted observation has no course: the recording judges it again, and without it the verdicts are named", {
  timeout: 2 * LONG_MS,
}, async () => {
  const { out, data } = await observed({ checks: ["truth.consistent"], capture: "hashed" });
  expect(unjudged((await verify(out, elsewhere)).unchecked)).toEqual([expect.stringContaining("truth.consistent")]);
  const whole = await verify(out, { dataDirectory: data });
  expect({ flaws: whole.flaws, unjudged: unjudged(whole.unchecked) }).toEqual({ flaws: [], unjudged: [] });
  const directory = findRun(dataOf({ dataDirectory: data }), "last");
  const manifest = readManifest(runPaths(directory).manifest);
  const forged = [{ id: "truth.consistent", status: "pass" }];
  expect(await judgeByRecording(forged, out, { manifest, directory, agent: await agentOfRun(manifest) })).toEqual({
    flaws: [{ file: "events.jsonl", line: 8, problem: "truth.consistent is pass; the recording gives fail" }],
    unchecked: [],
  });
});
