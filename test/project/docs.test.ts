import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { agents } from "../../src/pure/agents/agents.ts";
import { filesIn, ROOT } from "./imports.ts";

/** The documents say what is true: commands print what is shown, links lead somewhere, every agent has its page. */

const documents = ["README.md", "ARCHITECTURE.md", "AGENTS.md", "CONTRIBUTING.md", "CHANGELOG.md"].concat(
  readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
);

/** Where the runs of the examples are kept. */
const data = mkdtempSync(join(tmpdir(), "harness-docs-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** A file's time is the day of the checkout. */
function withoutTimes(text: string): string {
  return text.replace(/"timestamp":"[^"]+"/g, '"timestamp":"…"').replace(/"timestamp_ms":\d+/g, '"timestamp_ms":0');
}

/** `$ command` and the lines it printed, from every console block. */
function sessions(text: string): { command: string; output: string }[] {
  const blocks = [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((session) => {
        const [command = "", ...output] = session.split("\n");
        return { command, output: output.join("\n") };
      }),
  );
}

describe.each(documents)("%s", (document) => {
  const text = readFileSync(join(ROOT, document), "utf8");

  test("its links lead somewhere", () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)].map((match) => match[1] ?? "").filter((link) => !link.includes("://"));
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(document), link)))).toEqual([]);
  });

  const shown = sessions(text);
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

test("the README starts with the two commands and shows at least five", () => {
  const text = readFileSync(join(ROOT, "README.md"), "utf8");
  expect(text.indexOf("npm run demo")).toBeLessThan(300);
  expect(sessions(text).length).toBeGreaterThanOrEqual(5);
});

/** Those that speak a protocol by name are on its page. */
test.each(Object.keys(agents).filter((id) => !id.endsWith("-acp")))("%s has a page of its own", (id) => {
  expect(documents).toContain(join("docs", "reference", "agents", `${id}.md`));
});

/** What `docs/reference/events.md` lists is all there is: codes and rules that stand in the source, and those of the recordings. */
describe("docs/reference/events.md", () => {
  const text = readFileSync(join(ROOT, "docs/reference/events.md"), "utf8");
  const sources = ["agents", "base", "events", "pipeline"]
    .flatMap((room) => filesIn(`src/pure/${room}`))
    .map((file) => readFileSync(join(ROOT, file), "utf8"));
  const literals = (pattern: RegExp) => sources.flatMap((source) => [...source.matchAll(pattern)].map((match) => match[1] ?? ""));
  const missing = (names: Iterable<string>) => [...new Set(names)].filter((name) => !text.includes(`\`${name}\``));

  test("has every code that the source names", () => {
    const codes = literals(/\bcode: "([\w-]+)"/g).concat(literals(/\/[imsu]*, "([a-z]+(?:_[a-z]+)+)"\]/g));
    expect(codes.length).toBeGreaterThan(30);
    expect(missing(codes)).toEqual([]);
  });

  test("has every rule that the source names", () => {
    const rules = literals(/\brule: "([\w-]+)"/g);
    expect(rules.length).toBeGreaterThan(3);
    expect(missing(rules)).toEqual([]);
  });

  test("has every code of a warning in the recordings", () => {
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
