import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { agents } from "../../src/pure/agents/agents.ts";
import { documents, sessionsIn, textOf } from "./blocks.ts";
import { filesIn, ROOT } from "./imports.ts";

/** The documents say what is true: links and anchors exist, `console` blocks print what is shown, every agent has its page. */

/** The runs of the examples. */
const data = mkdtempSync(join(tmpdir(), "harness-docs-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** A file's time is the day of the checkout. */
function withoutTimes(text: string): string {
  return text.replace(/"timestamp":"[^"]+"/g, '"timestamp":"…"').replace(/"timestamp_ms":\d+/g, '"timestamp_ms":0');
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(document: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of textOf(document)
    .replace(/^```[\s\S]*?^```$/gm, "")
    .matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\p{M} _-]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

describe.each(documents)("%s", (document) => {
  const text = textOf(document);

  test("its links and anchors exist", () => {
    const links = [...text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)];
    const broken = links.filter(([, link = "", anchor]) => {
      if (link.includes("://")) return false;
      const target = link === "" ? document : join(dirname(document), link);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && target.endsWith(".md") && !anchorsOf(target).has(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test("it has at most 300 lines", () => {
    const limits: Record<string, number> = { "README.md": 150, "CHANGELOG.md": Number.POSITIVE_INFINITY };
    expect(text.split("\n").length - 1).toBeLessThanOrEqual(limits[document] ?? 300);
  });

  test("it has no paragraph over five lines", () => {
    const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, "\n");
    const paragraphs = prose.split(/\n\s*\n/).filter((each) => !/^\s*(?:[-*#|>]|\d+\.|<!--)/.test(each));
    expect(paragraphs.filter((each) => each.trim().split("\n").length > (document.startsWith("docs/decisions") ? 9 : 5))).toEqual([]);
  });

  const shown = sessionsIn(text);
  if (shown.length > 0) {
    test.each(shown)("$command", ({ command, output }) => {
      const setup = `harness() { "${process.execPath}" dist/cli/harness.js "$@"; }`;
      const printed = execFileSync("bash", ["-c", `${setup}; ${command}`], {
        cwd: ROOT,
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: "1", XDG_DATA_HOME: data, XDG_CONFIG_HOME: data },
      });
      expect(withoutTimes(printed).trimEnd()).toBe(withoutTimes(output).trimEnd());
    });
  }
});

test("the README starts with the two commands", () => {
  const start = textOf("README.md").slice(0, 400);
  expect([start.includes("npm run demo"), start.includes("npm test")]).toEqual([true, true]);
});

test("the map links every page", () => {
  const map = textOf("docs/README.md");
  const pages = documents.filter((page) => page.startsWith("docs/") && !/^docs\/(?:README\.md|reference\/cli\/)/.test(page));
  expect(pages.filter((page) => !map.includes(`](${page.slice("docs/".length)})`))).toEqual([]);
});

/** Agents that speak ACP share its page. */
test.each(Object.keys(agents).filter((id) => !id.endsWith("-acp")))("%s has its page", (id) => {
  expect(documents).toContain(join("docs", "reference", "agents", `${id}.md`));
});

/** The page lists every code and rule in the source and in the recordings. */
describe("docs/reference/events.md", () => {
  const text = readFileSync(join(ROOT, "docs/reference/events.md"), "utf8");
  const sources = ["agents", "base", "events", "pipeline"]
    .flatMap((room) => filesIn(`src/pure/${room}`))
    .map((file) => readFileSync(join(ROOT, file), "utf8"));
  const literals = (pattern: RegExp) => sources.flatMap((source) => [...source.matchAll(pattern)].map((match) => match[1] ?? ""));
  const missing = (names: Iterable<string>) => [...new Set(names)].filter((name) => !text.includes(`\`${name}\``));

  test("lists every code in the source", () => {
    const codes = literals(/\bcode: "([\w-]+)"/g).concat(literals(/\/[imsu]*, "([a-z]+(?:_[a-z]+)+)"\]/g));
    expect(codes.length).toBeGreaterThan(30);
    expect(missing(codes)).toEqual([]);
  });

  test("lists every rule in the source", () => {
    const rules = literals(/\brule: "([\w-]+)"/g);
    expect(rules.length).toBeGreaterThan(3);
    expect(missing(rules)).toEqual([]);
  });

  test("lists every warning code in the recordings", () => {
    const variable = /^rate_limit_|_recovery$/;
    const logs = readdirSync(join(ROOT, "fixtures"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("log.jsonl"));
    const codes = logs.flatMap((file) =>
      readFileSync(join(ROOT, "fixtures", file), "utf8")
        .split("\n")
        .filter((line) => line.includes('"type":"warning"'))
        .map((line): unknown => JSON.parse(line).code)
        .filter((code) => typeof code === "string" && !variable.test(code)),
    );
    expect(codes.length).toBeGreaterThan(100);
    expect(missing(codes as string[])).toEqual([]);
  });
});
