import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { type Fixture, replay } from "../../support/fixtures.ts";

function fixture(stderr: readonly string[], agent = agents.goose): Fixture {
  const nothing = { name: "x", folder: "", raw: Buffer.alloc(0), exitCode: 0, signal: null, provenance: "written", lineTimesMs: [] };
  return { ...nothing, agent, stderr: Buffer.from(`${stderr.join("\n")}\n`) };
}

const warnings = (lines: readonly string[]) =>
  replay(fixture(lines), activity).flatMap((each) => (each.type === "warning" ? [each.message] : []));

describe("X6: a stack trace on stderr is one warning", () => {
  test.each([
    ["JavaScript", ["Error: no", "    at a (x.js:1:2)", "    at async b (y.js:3:4) {", "  status: 500", "}"]],
    ["Python", ["Traceback (most recent call last):", '  File "a.py", line 1, in <module>', "    main()"]],
    ["Rust", ["thread 'main' panicked at src/main.rs:1:1", "   0: std::panicking", "             at /rustc/lib.rs:5"]],
    ["Java", ["java.lang.Error: no", "\tat a.B.c(B.java:1)", "\t... 3 more"]],
  ])("of %s", (_name, lines) => {
    expect(warnings([...lines, "something else"])).toEqual([lines[0], "something else"]);
    const frames = replay(fixture(lines), log).find((event) => event.type === "notice");
    expect(frames).toMatchObject({
      kind: "stack-trace",
      message: lines.slice(1).join("\n"),
      from: [{ record: 2 }, { record: lines.length }],
    });
  });

  test("indented lines without a trace stay warnings", () => {
    expect(warnings(["options:", "  --verbose", "  --help"])).toEqual(["options:", "  --verbose", "  --help"]);
    expect(warnings(["    at nowhere"])).toEqual(["    at nowhere"]);
  });

  test("a second trace has its own warning, and the frames come before what follows them", () => {
    const events = replay(fixture(["One", "  at a", "Two", "  at b"]), log).filter(({ type }) => type === "warning" || type === "notice");
    expect(events.map((event) => ("message" in event ? event.message : ""))).toEqual(["One", "  at a", "Two", "  at b"]);
  });

  test("a trace without end stays bounded", () => {
    const frames = replay(fixture(["Error", ...Array.from({ length: 5000 }, (_, index) => `    at f${index} (file.js:1:2)`)]), log);
    expect(frames.filter(({ type }) => type === "notice")).toHaveLength(1);
    expect(JSON.stringify(frames).length).toBeLessThan(12_000);
  });
});
