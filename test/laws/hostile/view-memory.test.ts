import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { views } from "../../../src/pure/views/views.ts";
import { cleanUp, LONG_MS, place } from "../../support/place.ts";

afterAll(cleanUp);

/**
 * L3 and L4: how much memory each view needs for a run of ten times the length. Measured on the built library in a separate process.
 */

const DIST = join(import.meta.dirname, "../../../dist/index.js");
const BIN = join(import.meta.dirname, "../../../dist/cli/harness.js");

/** Turns of Codex: a text, and a command with its output. */
const PROGRAM = `
  const turn = (i) => [
    { type: "item.started", item: { id: "item_" + i, type: "command_execution", command: "cat a" + i + ".ts", status: "in_progress" } },
    { type: "item.completed", item: { id: "item_" + i, type: "command_execution", command: "cat a" + i + ".ts", aggregated_output: "x".repeat(400), exit_code: 0, status: "completed" } },
    { type: "item.completed", item: { id: "text_" + i, type: "agent_message", text: "Now the file number " + i + ". " + "word ".repeat(40) } },
  ].map((line) => JSON.stringify(line) + "\\n").join("");
  async function* output(turns) {
    yield Buffer.from('{"type":"thread.started","thread_id":"t"}\\n{"type":"turn.started"}\\n');
    for (let i = 0; i < turns; i += 10) yield Buffer.from(Array.from({ length: 10 }, (_, k) => turn(i + k)).join(""));
    yield Buffer.from('{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}\\n');
  }`;

/** The bytes that each further turn adds to those in use after a collection. */
function heldPerTurn(view: string): number {
  const script = `${PROGRAM}
    import { derive } from ${JSON.stringify(DIST)};
    async function settled() {
      for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(() => resolve(gc()))); // what an earlier run held may need two
      return process.memoryUsage().heapUsed;
    }
    async function heldAfter(turns) {
      const before = await settled();
      let held = 0;
      async function* watched() {
        for await (const piece of output(turns)) yield piece;
        held = (await settled()) - before;
      }
      for await (const record of derive(watched(), { agent: "codex", view: ${JSON.stringify(view)} }));
      return held;
    }
    await heldAfter(500);
    console.log((await heldAfter(3500) - await heldAfter(500)) / 3000);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return Number(stdout);
}

test.each(Object.values(views).map(({ id, ...view }) => [id, "holdsRun" in view] as const))(
  "%s needs the same memory for a run of any length, unless it says that it holds the run (%s)",
  (id, holds) => {
    const bytes = heldPerTurn(id);
    if (holds) expect(bytes).toBeGreaterThan(400);
    else expect(bytes).toBeLessThan(400); // the name of a call takes 130 to 230 bytes, a step a kilobyte
  },
);

test.each(["graph", "capture"])("L3: a run too long for %s ends with one sentence and exit code 2", (view) => {
  const script = `${PROGRAM}
    process.stdout.on("error", () => process.exit());
    for await (const piece of output(100_000)) if (!process.stdout.write(piece)) await new Promise((r) => process.stdout.once("drain", r));`;
  const line = `"$NODE" --input-type=module -e "$SCRIPT" | "$NODE" --max-old-space-size=64 "$BIN" derive - --agent codex --view ${view}`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", line], {
    encoding: "utf8",
    env: { ...process.env, NODE: process.execPath, SCRIPT: script, BIN },
    maxBuffer: 2 ** 30,
  });
  expect({ stdout, stderr, status }).toEqual({
    stdout: "",
    stderr: expect.stringMatching(
      new RegExp(`^harness: The view ${view} holds the run in memory, and after [\\d,]+ events \\d+ MB are not enough\\. .*\\n$`),
    ),
    status: 2,
  });
});

test("a run shown live by a view that holds it is complete, even if the view is too long", { timeout: LONG_MS }, async () => {
  const where = place();
  const flood = join(where.root, "..", "floods");
  const text = JSON.stringify("x".repeat(2000));
  writeFileSync(
    flood,
    `#!${process.execPath}
    const line = (i) => JSON.stringify({ type: "item.completed", item: { id: "i" + i, type: "agent_message", text: ${text} + i } }) + "\\n";
    const all = ['{"type":"thread.started","thread_id":"t"}\\n{"type":"turn.started"}\\n'];
    for (let i = 0; i < 40_000; i++) all.push(line(i));
    process.stdout.write(all.join("") + '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}\\n');`,
    { mode: 0o755 },
  );
  const node = ["--max-old-space-size=64"];
  const done = await where.run(["--agent", "codex", "--binary", flood, "--view", "capture"], { node });
  expect(done).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("harness: The view capture holds the run in memory") });
  expect(where.recording().sealed).toMatchObject({ status: "completed" });
});
