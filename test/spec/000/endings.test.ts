import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { EPOCH } from "../../support/fixtures.ts";
import { type Ending, endings } from "./support/endings.ts";

/** A3: every way each agent can end has a status, a row on the page, and a test. */

const ROOT = resolve(import.meta.dirname, "../../..");
const page = readFileSync(join(ROOT, "docs/explanation/status.md"), "utf8");
const [, section = ""] = page.split("## How each agent can end\n");
const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => /^\| [A-Z]/.test(line));

describe("every way each agent can end", () => {
  test.each(endings)("$agent: $ends → $status, $reason", ({ agent, lines, stderr, exit = 0, status, reason }) => {
    const run = pipeline(agents[agent], result, { startedAt: EPOCH }, decode);
    const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
    run.bytes("stdout", Buffer.from(text), EPOCH);
    if (stderr !== undefined) run.bytes("stderr", Buffer.from(`${stderr}\n`), EPOCH);
    run.exit({ type: "exit", at: EPOCH, exitCode: exit, signal: null, durationMs: 1 });
    expect(run.end(EPOCH)[0]).toMatchObject({ status, reason });
  });

  test("has one row in docs/explanation/status.md, and each row of it a test", () => {
    const cells = rows.map((row) =>
      row
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
        .join(" | "),
    );
    expect(cells).toEqual(rowsOf(endings));
  });

  test("names every agent, and every reason that an agent's reader gives itself", () => {
    const tested = new Set(endings.map(({ agent }) => agent));
    const left = Object.keys(agents).filter((id) => !tested.has(id as Ending["agent"]) && !id.endsWith("-acp") && id !== "rlm");
    expect(left).toEqual([]);
    const reasons = new Set(endings.map(({ reason }) => reason));
    const folder = join(ROOT, "src/pure/agents");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    expect(files.length).toBeGreaterThan(50);
    const said = files.flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/(?:outcome|status): [^\n]*reason: "([\w.-]+)"/g)].map(
        ([, reason = ""]) => reason,
      ),
    );
    expect([...new Set(said)].filter((reason) => !reasons.has(reason) && !page.includes(`\`${reason}\``))).toEqual([]);
  });
});

/** OpenCode and Kilo end alike, and share their rows. */
function rowsOf(all: readonly Ending[]): readonly string[] {
  return all
    .filter(({ agent }) => agent !== "kilo")
    .map(
      ({ agent, ends, status, reason }) =>
        `${agent === "opencode" ? "OpenCode, Kilo" : agents[agent].title} | ${ends} | \`${status}\` | \`${reason}\``,
    );
}
