import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify, examine, isPlainlyOther } from "../../../src/pure/shell/classify.ts";
import { mentionsMove } from "../../../src/pure/shell/moves.ts";
import { LISTS, MOVED, READS, SEARCHES, WRAPPED, WRITES } from "./commands.table.ts";
import { NOT_FILE_OPERATIONS } from "./not-file-operations.table.ts";

const TABLES = { READS, SEARCHES, LISTS, WRITES, WRAPPED, MOVED };
const FILE_OPERATIONS = Object.values(TABLES).flat();
const COMMANDS = [...FILE_OPERATIONS.map(([command]) => command), ...NOT_FILE_OPERATIONS];

describe.each(Object.entries(TABLES))("%s", (_, rows) => {
  test.each(rows.map(([command, ...operations]) => ({ command, operations })))("$command", ({ command, operations }) => {
    expect(classify(command, "/w").operations).toEqual(operations);
  });
});

test.each(NOT_FILE_OPERATIONS)("stays a command: %s", (command) => {
  expect(classify(command, "/w").operations).toEqual([{ kind: "command", command }]);
});

test("the tables contain no duplicates", () => {
  expect(new Set(COMMANDS).size).toBe(COMMANDS.length);
});

describe("without a working directory", () => {
  test.each([
    ["cat src/a.ts", { kind: "read", path: "src/a.ts" }],
    ["cat ./a", { kind: "read", path: "./a" }],
    ["cat /x//a", { kind: "read", path: "/x/a" }],
    ["ls", { kind: "list" }],
    ["ls src/", { kind: "list", path: "src/" }],
    ["rg foo", { kind: "search", query: "foo", emptyExit: 1 }],
    ["rg foo .", { kind: "search", query: "foo", path: ".", emptyExit: 1 }],
    ["find . -name '*.ts'", { kind: "search", query: "*.ts", path: "." }],
    ["cd src && rg foo", { kind: "search", query: "foo", path: "src", emptyExit: 1 }],
    ["cd src && cat a.ts", { kind: "read", path: "src/a.ts" }],
    ["cd src && cat ../a.ts", { kind: "read", path: "a.ts" }],
    ["cd src && cat ../../a.ts", { kind: "read", path: "../a.ts" }],
    ["cd src && cat ~/a.ts", { kind: "read", path: "~/a.ts" }],
    ["cd /x && cat a.ts", { kind: "read", path: "/x/a.ts" }],
    ["/bin/bash -lc 'cd src && ls'", { kind: "list", path: "src" }],
  ])("%s", (command, operation) => {
    expect(classify(command).operations).toEqual([operation]);
  });
});

describe("the directory afterwards, from /w", () => {
  test.each([
    ["ls", undefined],
    ["npm test", undefined],
    ["cd web", "/w/web"],
    ["cd web && npm test", "/w/web"],
    ["cd web && npm test || true", "/w/web"],
    ["cd web || exit 1", "/w/web"],
    ["cd web || { echo no; exit 1; }\nls", "/w/web"],
    ["cd /x; rm -rf y", null],
    ["cd a && cd b", "/w/a/b"],
    ["cd a && pwd; cd ../c", null],
    ["mkdir -p x && cd x && npm init -y", "/w/x"],
    ["npm test; cd web", "/w/web"],
    ["{ cd web; npm test; }", null],
    ["command cd web", "/w/web"],
    ["cd web 2>/dev/null", "/w/web"],
    ["time cd web", "/w/web"],
    ["(cd web && npm test)", undefined],
    ["cd web | cat", undefined],
    ["cd web & ls", undefined],
    ["bash -lc 'cd web && npm test'", undefined],
    ["echo $(cd web && pwd)", undefined],
    ["for d in a b; do (cd $d && make); done", undefined],
    ["cd", null],
    ["cd -", null],
    ["cd ~", null],
    ["cd ~/p && ls", null],
    ["cd $DIR", null],
    ["cd $(git rev-parse --show-toplevel)", null],
    ["cd a b", null],
    ["npm test && cd web", null],
    ["npm test || cd web", null],
    ["cd a || cd b", null],
    ["cd a || true", null],
    ["ls && cd src && cat a", null],
    ["pushd web", null],
    ["pushd web && npm test && popd", null],
    ["if true; then cd web; fi", null],
    ["for d in a b; do cd $d; done", null],
    ["go() { cd web; }; go", null],
    ["eval 'cd web'", null],
    ["cd 'unterminated", null],
    ["cd ~; cd sub", null],
    ["cd ~; cd /x", "/x"],
    // A6: the exit code is that of the last statement, so the `cd` before it may have failed.
    ["cd nope; true", null],
    ["cd nope\nnpm test", null],
  ])("%s", (command, directory) => {
    expect(classify(command, "/w").directory).toBe(directory);
  });

  test("stays relative if the start is unknown", () => {
    expect(classify("cd web && npm test").directory).toBe("web");
    expect(classify("cat a.ts", "web").operations).toEqual([{ kind: "read", path: "web/a.ts" }]);
  });
});

describe("any text", () => {
  /** A command from the tables with a piece cut out, doubled, or replaced by shell syntax. */
  const mutated = fc
    .tuple(
      fc.constantFrom(...COMMANDS),
      fc.nat(),
      fc.nat(20),
      fc.constantFrom("", "'", '"', "$(", "`", "\\", "\n", ";", "|", "&&", "<<", ">", "(", "}", "cd x", "\0"),
    )
    .map(([command, at, length, piece]) => {
      const from = at % (command.length + 1);
      return command.slice(0, from) + piece + command.slice(from + length);
    });
  const joined = fc
    .tuple(fc.constantFrom(...COMMANDS), fc.constantFrom(" && ", " || ", "; ", " | ", "\n", " "), fc.constantFrom(...COMMANDS))
    .map((parts) => parts.join(""));
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), mutated, joined);

  test("gives operations or the one original command, and never throws", () => {
    fc.assert(
      fc.property(text, fc.option(fc.string(), { nil: undefined }), (command, cwd) => {
        const { operations } = classify(command, cwd);
        expect(operations.length).toBeGreaterThan(0);
        if (operations.some(({ kind }) => kind === "command")) expect(operations).toEqual([{ kind: "command", command }]);
      }),
      { numRuns: 5_000 },
    );
  });

  test("gives the same result with and without the shortcut", () => {
    for (const command of COMMANDS) expect(classify(command, "/w")).toEqual(examine(command, "/w"));
    fc.assert(
      fc.property(text, (command) => {
        expect(classify(command, "/w")).toEqual(examine(command, "/w"));
      }),
      { numRuns: 5_000 },
    );
  });

  test("a command joined to one that is not a file operation is not one either", () => {
    fc.assert(
      fc.property(fc.constantFrom(...FILE_OPERATIONS), fc.constantFrom("&&", "||", ";"), ([command], operator) => {
        const whole = `{ ${command}\n} ${operator} rm -rf x`;
        expect(classify(whole, "/w").operations).toEqual([{ kind: "command", command: whole }]);
      }),
    );
  });
});

test("the commands that agents run most take the shortcut", () => {
  for (const command of ["npm test", "git_x", "node a.js 2>&1 | tail", "./gradlew build", "if true; then cat a; fi", "make;"]) {
    expect(isPlainlyOther(command) && !mentionsMove(command)).toBe(true);
  }
});

describe("long commands", () => {
  test("a here-document of a hundred kilobytes is a write", () => {
    const body = "export function f(a: string) { return <b>{a}</b>; }\nit's $(not run)\n".repeat(350);
    expect(classify(`cat > f.tsx <<'EOF'\n${body}EOF`, "/w").operations).toEqual([{ kind: "write", path: "/w/f.tsx" }]);
    const plain = "one line of text\n".repeat(7_000);
    expect(classify(`cat > f <<'EOF'\n${plain}EOF`, "/w").operations).toEqual([{ kind: "write", path: "/w/f" }]);
  });

  // The parser, or our own code, could take quadratic time or stack for each of these.
  test.each([
    ["longer than the longest argument", `cat ${"a".repeat(128 * 1024)}`],
    ["open braces", `cat ${"{".repeat(120_000)}`],
    ["open braces in a shell", `bash -lc 'cat ${"{".repeat(120_000)}'`],
    ["old arithmetic", `cat ${"$[1".repeat(40_000)}`],
    ["here-documents", `cat ${"<<A ".repeat(30_000)}`],
    ["functions without end", "cat() ".repeat(20_000)],
    ["wrappers", `${"command ".repeat(15_000)}cat f`],
    ["subshells", "(".repeat(120_000)],
  ])("%s", { timeout: 2_000 }, (_, command) => {
    expect(classify(command, "/w").operations).toEqual([{ kind: "command", command }]);
  });

  test("a directory longer than the longest path is unknown", { timeout: 2_000 }, () => {
    const { operations, directory } = classify(`${"cd a && ".repeat(15_000)}ls`, "/w");
    expect(operations).toEqual([{ kind: "list" }]);
    expect(directory).toBe(null);
  });
});

test("written contents never appear", () => {
  const { operations } = classify("cat > f <<'EOF'\nCANARY\nEOF\necho CANARY >> f", "/w");
  expect(JSON.stringify(operations)).not.toContain("CANARY");
});
