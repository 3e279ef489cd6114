import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { SdkTools } from "../../../../src/work/native/tool.ts";
import { workspaceTools } from "../../../../src/work/native/workspace-tools.ts";
import { folder } from "../support.ts";

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly patch?: string;
  readonly edit?: object;
  readonly write?: object;
  readonly then?: Readonly<Record<string, string | null>>;
  readonly error?: string;
  readonly says?: string;
}

const cases = parse(readFileSync(join(import.meta.dirname, "corpus.yaml"), "utf8")) as readonly Case[];

function filesIn(root: string): Record<string, string> {
  return Object.fromEntries(readdirSync(root).map((name) => [name, readFileSync(join(root, name), "utf8")]));
}

async function use(tools: SdkTools, name: string, input: object): Promise<string> {
  const output = await tools[name]?.execute(input, { toolCallId: "c", messages: [] });
  return (output as { context: string }).context;
}

test("the corpus has no case twice", () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  expect(cases.length).toBeGreaterThan(45);
});

test.each(cases)("$name", async ({ files, patch, edit, write, then = {}, error, says = "" }) => {
  const root = folder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  const tools = await workspaceTools({ root });
  const work =
    patch !== undefined
      ? use(tools, "apply_patch", { patchText: patch })
      : edit !== undefined
        ? use(tools, "edit", { path: "f", ...edit })
        : use(tools, "write", { path: "f", ...write });
  if (error === undefined) expect(await work).toContain(says);
  else await expect(work).rejects.toThrow(new RegExp(error));
  const wanted = Object.fromEntries(
    Object.entries({ ...files, ...(error === undefined && then) }).filter(([, content]) => content !== null),
  );
  expect(filesIn(root)).toEqual(wanted);
});

describe("what the corpus cannot say", () => {
  test("a file that changed since it was read is not replaced, and one that the model wrote is", async () => {
    const root = folder();
    const tools = await workspaceTools({ root });
    writeFileSync(join(root, "f"), "one");
    await use(tools, "read", { path: "f" });
    writeFileSync(join(root, "f"), "two");
    await expect(use(tools, "write", { path: "f", content: "x" })).rejects.toThrow("has changed since you read it");
    await use(tools, "edit", { path: "f", before: "two", after: "three" });
    expect(await use(tools, "write", { path: "f", content: "x" })).toBe("Replaced f (1 bytes, was 5).");
  });

  test("K7 reading says that lines end with CRLF, and shows none of it", async () => {
    const root = folder();
    writeFileSync(join(root, "f"), "a\r\nb\r\n");
    const tools = await workspaceTools({ root });
    expect(await use(tools, "read", { path: "f" })).toBe("a\nb\n(its lines end with CRLF; edits keep that)");
  });

  test("K1 a link and its target are the same file; a moved program stays executable", async () => {
    const root = folder();
    writeFileSync(join(root, "f"), "one\ntwo\n");
    chmodSync(join(root, "f"), 0o755);
    symlinkSync("f", join(root, "link"));
    const tools = await workspaceTools({ root });
    const lines = ["*** Update File: f", "-one", "+1", "*** Update File: link", "-two", "+2", "*** Update File: f", "*** Move to: g"];
    await use(tools, "apply_patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
    expect([readFileSync(join(root, "g"), "utf8"), statSync(join(root, "g")).mode & 0o777]).toEqual(["1\n2\n", 0o755]);
  });

  test("a write that fails restores what was written before it", async () => {
    const root = folder();
    writeFileSync(join(root, "f"), "one\n");
    writeFileSync(join(root, "gone"), "gone\n");
    const lines = ["*** Delete File: gone", "*** Update File: f", "-one", "+1", "*** Add File: new", "+new", "*** Add File: new/x", "+x"];
    const tools = await workspaceTools({ root });
    const patchText = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
    await expect(use(tools, "apply_patch", { patchText })).rejects.toThrow("new/x is not a directory. Nothing was changed.");
    expect([readFileSync(join(root, "f"), "utf8"), readFileSync(join(root, "gone"), "utf8"), existsSync(join(root, "new"))]).toEqual([
      "one\n",
      "gone\n",
      false,
    ]);
  });
});
