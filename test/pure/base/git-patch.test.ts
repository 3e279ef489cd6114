import { describe, expect, test } from "vitest";
import { gitPatch, type PatchLine } from "../../../src/pure/base/git-patch.ts";

const count = (lines: readonly PatchLine[], sign: PatchLine["sign"]) => lines.filter((line) => line.sign === sign).length;

describe("a patch, file by file", () => {
  test("contents that look like headers of other files stay contents", () => {
    const files = gitPatch(
      ["diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1,2 +1,3 @@", " a", "-diff --git a/y b/y", "+--- a/y", "+@@ -1 +1 @@"].join("\n"),
    );
    expect(files.map(({ path, change, lines }) => [path, change, count(lines, "+"), count(lines, "-")])).toEqual([["x", "modified", 2, 1]]);
  });

  test("quoted names, and new, deleted and renamed files", () => {
    const files = gitPatch(
      [
        'diff --git "a/\\303\\244 \\"q\\".txt" "b/\\303\\244 \\"q\\".txt"',
        "new file mode 100644",
        "--- /dev/null",
        '+++ "b/\\303\\244 \\"q\\".txt"',
        "@@ -0,0 +1 @@",
        "+x",
        "\\ No newline at end of file",
        "diff --git a/old b/old",
        "deleted file mode 100644",
        "--- a/old",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-x",
        "diff --git a/from b/to",
        "rename from from",
        "rename to to",
        "",
      ].join("\n"),
    );
    expect(files.map(({ path, change, lines }) => [path, change, count(lines, "+"), count(lines, "-")])).toEqual([
      ['ä "q".txt', "added", 1, 0],
      ["old", "deleted", 0, 1],
      ["to", "modified", 0, 0],
    ]);
  });

  test.each(["", "nonsense", "@@ -1 +1 @@\n+x", "diff --git ", "diff --git a b\n@@ -99999999999,9999999999 +1,1 @@"])(
    "%j throws nothing",
    (text) => {
      expect(() => gitPatch(text)).not.toThrow();
    },
  );
});
