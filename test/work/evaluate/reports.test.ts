import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanUp, directory, harness } from "../../support/harness.ts";

/** Reports with every trial, of an agent whose output is hostile. */

afterAll(cleanUp);

const EVIL = `</pre><script>alert(1)</script><img src=x onerror=alert(1)>=cmd|'/c calc'!A1 ]]>\u0007`;
const folder = directory();
const at = (name: string) => join(folder, name);
const report = (name: string) => readFileSync(at(name), "utf8");

beforeAll(async () => {
  writeFileSync(at("agent"), `#!/bin/sh\ncat ${at("evil")}; echo changed > "new.txt"\n`);
  writeFileSync(at("evil"), EVIL);
  chmodSync(at("agent"), 0o700);
  const cases = ["<b>one</b>", "two"].map((id) =>
    JSON.stringify({ id, input: `${id} please`, expected: id === "two" ? "calc" : "nothing" }),
  );
  writeFileSync(at("cases.jsonl"), cases.map((row) => `${row}\n`).join(""));
  const sides = ["'a & b'", "c"].map((name) => `  - {name: ${name}, agent: generic, command: ./agent}\n`);
  writeFileSync(
    at("eval.yaml"),
    `cases: cases.jsonl\ngraders: contains\nk: 2\nreports: [r.html, r.csv, r.xml, r.md]\nsides:\n${sides.join("")}`,
  );
  const ran = await harness(["evaluate", at("eval.yaml")], { env: { XDG_DATA_HOME: at("data") } });
  expect(ran).toMatchObject({ code: 0 });
}, 120_000);

describe("HTML", () => {
  test("has no element and no attribute from an agent or a user, and may load nothing", () => {
    const html = report("r.html");
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    const tags = new Set(
      [...html.replace(/<style>[\s\S]*?<\/style>/, "").matchAll(/<\/?([a-zA-Z!][\w-]*)/g)].map(([, tag]) => tag?.toLowerCase()),
    );
    expect([...tags].toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual(
      [
        "!doctype",
        "a",
        "b",
        "circle",
        "details",
        "div",
        "figcaption",
        "figure",
        "h1",
        "h2",
        "h3",
        "h4",
        "head",
        "html",
        "line",
        "main",
        "meta",
        "p",
        "pre",
        "rect",
        "section",
        "small",
        "span",
        "style",
        "summary",
        "svg",
        "table",
        "tbody",
        "td",
        "text",
        "th",
        "thead",
        "title",
        "tr",
      ].filter((tag) => tags.has(tag)),
    );
    expect(html).not.toMatch(/<[^>]*\son\w+=/i);
  });

  test("shows every trial: verdict, reasoning, answer, changes and transcript; every link leads to a case", () => {
    const html = report("r.html");
    expect(html.match(/<details class="trial">/g)).toHaveLength(8);
    for (const text of ["passed", "failed", "the answer contains", "Changes", "new.txt", "Transcript: 1 steps", "UTC</p>"])
      expect(html).toContain(text);
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links).toHaveLength(4);
    for (const id of links) expect(html).toContain(`id="${id}"`);
  });
});

test("CSV has a row per trial with every field, and no formula", () => {
  const csv = report("r.csv");
  const [head = "", ...rows] = csv.trim().split("\r\n");
  expect(head.split(",").length).toBeGreaterThan(55);
  expect(rows).toHaveLength(8);
  expect(csv).not.toMatch(/(?:^|,)"?[=+@]/m);
});

test("JUnit has times and reasons", () => {
  const xml = report("r.xml");
  expect(xml).toMatch(/<testsuite name="a &#38; b" tests="2" failures="1" errors="0" time="\d+\.\d{3}">/);
  expect(xml).toMatch(/<failure type="failed" message="[^"]*">trial 1: [^<]+<\/failure>/);
  expect(xml).not.toContain("\u0007");
});
