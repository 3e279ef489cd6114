import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cleanUp, directory, harness } from "../../support/harness.ts";

afterAll(cleanUp);

test("the demo is a live run: it writes files, a test fails, and passes in the end", async () => {
  const [place, data] = [directory(), directory()];
  const env = { TMPDIR: place, XDG_DATA_HOME: data };
  const { code, stdout, stderr } = await harness(["demo", "--speed", "max"], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const text of ["✗ $ node --test  exit 1", "✓ $ node --test", "✓ completed", "gives the same result", "2 agents, 8 model calls"])
    expect(stdout).toContain(text);
  expect(stdout).toMatch(/\nNext:\n\n {2}\S.* view \d{8}-\d{6}-\w+ .*\n(?!.* last )/);
  const workspace = join(place, readdirSync(place).find((name) => name.startsWith("harness-demo-")) ?? "");
  expect(readFileSync(join(workspace, "src/price.js"), "utf8")).toContain("price * (1 - percent / 100)");
  const svg = readFileSync(join(workspace, "graph.svg"), "utf8");
  for (const text of ["back from task", "node --test", 'class="branch ', 'class="return ']) expect(svg).toContain(text);
  const graph = await harness(["graph", "last", "--format", "svg"], { env });
  expect(graph).toEqual({ code: 0, stdout: svg, stderr: "" });
});
