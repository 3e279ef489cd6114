import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bash, cleanUp, directory } from "../../support/harness.ts";

/** A run that a version before the law of order recorded: its views report a warning before the text that was printed before it. */
const ID = "20261116-083355-mzqytw";

afterAll(cleanUp);

function recorded(): { readonly data: string; readonly env: Record<string, string> } {
  const home = directory();
  const data = join(home, "harness");
  cpSync(join(import.meta.dirname, "earlier"), data, { recursive: true });
  return { data, env: { XDG_DATA_HOME: home } };
}

test("a recording by an earlier translator is intact, and verify says who made its views", async () => {
  const { env } = recorded();
  const { code, stdout } = await bash(`harness verify ${ID} --json`, { env });
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 0,
    ok: true,
    flaws: [],
    unchecked: [expect.stringContaining("translation 1")],
  });
});

test("one byte changed in a view of it is still found", async () => {
  const { data, env } = recorded();
  const { code, stdout } = await bash(`sed -i 's/five_hour/fine_hour/' ${data}/runs/${ID}/events.jsonl; harness verify ${ID} --json`, {
    env,
  });
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, ok: false });
});

test("it is derived by the rules of today: the text comes first", async () => {
  const { env } = recorded();
  const { stdout } = await bash(`harness derive ${ID} --view activity --json`, { env });
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type),
  ).toEqual(["agent", "warning"]);
});
