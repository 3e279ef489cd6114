import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pins } from "../../../src/work/conformance/agents/pins.ts";
import { findCli } from "../../../src/work/conformance/find-cli.ts";
import { folderOf, isInstalled } from "../../../src/work/conformance/install.ts";
import { type Effect, effects } from "../../../src/work/conformance/permissions/effects.ts";
import type { Level } from "../../../src/work/conformance/permissions/levels.ts";
import { cellOf, matrixProblems, merged, type Row } from "../../../src/work/conformance/permissions/matrix.ts";
import { permissionsPage } from "../../../src/work/conformance/permissions/page.ts";
import { tryLevel } from "../../../src/work/conformance/permissions/try-level.ts";
import { BIN, ROOT } from "../../support/harness.ts";

const matrix = JSON.parse(readFileSync(join(ROOT, "src/work/conformance/permission-matrix.json"), "utf8")) as readonly Row[];

function row(level: Level, did: readonly Effect[], more: { status?: string; warnings?: readonly string[] } = {}): Row {
  const all = Object.fromEntries(effects.map((effect) => [effect, did.includes(effect)])) as Record<Effect, boolean>;
  return { agent: "a", label: "a 1", level, did: all, status: [more.status ?? "completed"], warnings: more.warnings ?? [] };
}

describe("the matrix", () => {
  test("X1: no agent exceeds a level without a warning; X3: an agent that was denied everything is blocked", () => {
    expect(matrixProblems(matrix)).toEqual([]);
  });

  test("every agent was tried at every level, and can do something at full", () => {
    const left = ["rlm", "pi-new", "kilo-acp"]; // it has no tools; it needs a newer Node; it takes an hour on a busy machine
    const here = [...pins.keys()].filter((id) => !left.includes(id));
    for (const id of here) {
      const levels = matrix.filter(({ agent }) => agent === id).map(({ level }) => level);
      expect([id, ...levels]).toEqual([id, "full", "default", "read-only", "allow", "deny"]);
      for (const effect of ["write", "edit", "command"] as const)
        expect([id, effect, cellOf(matrix, id, "full", effect)]).toEqual([id, effect, "yes"]);
    }
  });

  test("the page shows it", () => {
    const page = readFileSync(join(ROOT, "docs/reference/permissions.md"), "utf8");
    expect(permissionsPage(page, matrix)).toBe(page);
  });
});

describe("a problem", () => {
  const full = row("full", ["write", "edit", "command"]);

  test("is an effect that the level forbids, unless a warning announces it", () => {
    const silent = "a at read-only exceeded it without a warning: command";
    expect(matrixProblems([full, row("read-only", ["command"])])).toEqual([silent]);
    expect(matrixProblems([full, row("read-only", ["command"], { warnings: ["idle"] })])).toEqual([silent]);
    expect(matrixProblems([full, row("read-only", ["command"], { warnings: ["permissions-exceeded"] })])).toEqual([]);
    expect(matrixProblems([full, row("deny", ["write", "command"])])).toEqual(["a at deny exceeded it without a warning: command"]);
    expect(matrixProblems([full, row("default", ["command"]), row("allow", ["write", "command"])])).toEqual([]);
    expect(matrixProblems([full, row("default", []), row("allow", ["write", "command"])])).toHaveLength(1);
  });

  test("is a denial that ends in another status than blocked", () => {
    expect(matrixProblems([full, row("read-only", [], { status: "blocked" })])).toEqual([]);
    expect(matrixProblems([full, row("read-only", [])])).toEqual(["a at read-only was denied everything and ended as completed"]);
  });

  test("a cell says what happened, and whether the agent can do it at all", () => {
    const rows = [full, row("read-only", ["command"])];
    expect(effects.map((effect) => cellOf(rows, "a", "read-only", effect))).toEqual(["no", "no", "exceeded", "none", "none", "none"]);
  });

  test("a part replaces its rows, and the others stay", () => {
    const [old, other] = [row("deny", []), row("allow", [])];
    expect(merged([full, other, old], [row("deny", ["write"])], ["a"])).toEqual([full, other, row("deny", ["write"])]);
  });
});

/** `npm run permissions` tries them all. `.ci/run` installs Claude Code first and sets HARNESS_REAL_AGENTS=1; then it must be there. */
describe("a sample of it, tried again", () => {
  const self = { cli: BIN, root: ROOT, mcpServer: join(ROOT, "dist/cli/mcp-server.js") };
  const claude = pins.get("claude");
  const isHere = claude !== undefined && isInstalled(folderOf("claude", claude, process.env), claude);

  async function tried(id: string, level: Level): Promise<Row> {
    const pin = pins.get(id);
    if (pin === undefined) throw new Error(`There is no ${id}.`);
    const cli = await findCli(id, pin, { install: true, env: process.env, say: () => {} });
    const full = matrix.find((each) => each.agent === id && each.level === "full");
    const tools = full !== undefined && "tools" in full ? (full.tools ?? []) : [];
    return tryLevel({ id, pin, cli, level, tools, self, signal: new AbortController().signal });
  }

  /** Without its version, and without warnings about a busy machine. */
  function seen(found: Row | undefined): unknown {
    return found !== undefined && "did" in found ? { did: found.did, status: found.status } : found;
  }

  test.each(["read-only", "deny"] as const)("our own agent, %s", { timeout: 120_000 }, async (level) => {
    expect(seen(await tried("native", level))).toEqual(seen(matrix.find((each) => each.agent === "native" && each.level === level)));
  });

  test.skipIf(!isHere && process.env["HARNESS_REAL_AGENTS"] !== "1")("Claude Code, read-only", { timeout: 240_000 }, async () => {
    expect(seen(await tried("claude", "read-only"))).toEqual(
      seen(matrix.find((each) => each.agent === "claude" && each.level === "read-only")),
    );
  });
});
