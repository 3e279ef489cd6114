import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp } from "../../support/harness.ts";
import { place } from "./support/place.ts";

/** Agents that destroy what would show their failure. They stay in the rate, are named, and harm no later trial. Real processes. */

afterAll(cleanUp);

const RUN = 'run=$(dirname "$(readlink /proc/$$/fd/1)"); [ "$run" != . ] || exit 0\n';

describe.runIf(existsSync("/proc/self/fd"))("V3: an agent does not leave the rate if it", () => {
  const LOST = { status: "failed", reason: "evidence-lost", class: "failed" };

  test.each([
    ["deletes its run", 'rm -rf "$run"; sleep 0.3'],
    ["puts a file in the place of its run", 'rm -rf "$run"; echo f > "$run"; sleep 0.3'],
    ["deletes all data", 'rm -rf "$PLACE/data"; sleep 0.3'],
    ["puts a directory in the place of its manifest", 'rm "$run/run.json"; mkdir -p "$run/run.json/x"'],
    ["puts a directory in the place of its records", 'rm "$run/records.jsonl"; mkdir "$run/records.jsonl"'],
    ["puts a link in the place of its run", 'mv "$run" "$run.x"; ln -s "$run.x" "$run"'],
    ["puts links to a full device in the place of its files", 'for file in "$run"/*; do rm -rf "$file"; ln -s /dev/full "$file"; done'],
    ["deletes its workspace", 'rm -rf "$PWD"'],
    ["puts a link in the place of its workspace", "cd ..; mv workspace other; ln -s other workspace"],
    ["puts a file in the place of its folders", 'root=$(dirname "$PWD"); cd /; rm -rf "$root"; echo f > "$root"'],
  ])("%s", async (_, deed) => {
    const { evaluate } = place("trials");
    const cheat = `${RUN}case "$*" in *easy*) echo yes ;; *) echo no; ${deed} ;; esac`;
    const rows = ["hard", "easy"].map((id) => ({ id, input: id, expected: "yes" }));
    const { code, stderr, lines } = await evaluate(cheat, rows, "-k", "1", "-g", "all(exact,command:true)");
    expect(lines).toMatchObject([
      { id: "hard", passRate: 0, trials: [LOST] },
      { id: "easy", passRate: 1, trials: [{ status: "completed", class: "passed" }] },
    ]);
    expect(stderr).toContain("generic: 1 of 2 trials destroyed their evidence, so they count as failed (");
    expect(code).toBe(0);
  });

  test("answers right and deletes its run, which a grader would pass", async () => {
    const { evaluate } = place();
    const { lines } = await evaluate(
      `${RUN}echo yes; rm -rf "$run"; sleep 0.3`,
      [{ id: "a", input: "Go.", expected: "yes" }],
      "-g",
      "exact",
    );
    expect(lines).toMatchObject([{ ...LOST, uncountedGrade: { pass: true } }]);
    expect(lines[0]).not.toHaveProperty("score");
  });
});

describe("an agent that changes what later trials start with", () => {
  const SOLVE = `for file in "$PLACE"/data/harness/evaluations/scratch-*/before*; do
    sed -i '/given.txt/{p;s/given.txt/solved/}' "$file"; done; ls`;
  const DAMAGE = 'for file in "$PLACE"/data/harness/evaluations/objects/*; do printf x > "$file"; done; ls';

  test.each([
    ["in the list of files", SOLVE],
    ["in their contents", DAMAGE],
    ["everywhere in our copy", `${SOLVE}; ${DAMAGE} > /dev/null`],
    ["by removing our copy", 'rm -rf "$PLACE"/data/harness/evaluations/scratch-* "$PLACE"/data/harness/evaluations/objects; ls'],
  ])("%s does not reach them, and is named", async (_, deed) => {
    const { at, evaluate } = place("trials");
    mkdirSync(at("template"));
    writeFileSync(at("template/given.txt"), "given\n");
    const { stderr, lines } = await evaluate(
      deed,
      [{ id: "a", input: "Go.", workspace: at("template") }],
      "-k",
      "3",
      "-g",
      "contains:solved",
    );
    expect(lines).toMatchObject([{ passRate: 0, trials: Array.from({ length: 3 }, () => ({ class: "failed", output: "given.txt\n" })) }]);
    if (!deed.startsWith("rm")) expect(stderr).toContain(`an agent changed the copy of the ${at("template")} workspace for later trials`);
  });

  test("in our copy and in the source ends the evaluation", async () => {
    const { at, evaluate } = place("trials");
    mkdirSync(at("template"));
    writeFileSync(at("template/given.txt"), "given\n");
    const both = `echo > "$PLACE/template/solved"; ${SOLVE}`;
    const { code, stderr, lines } = await evaluate(
      both,
      [{ id: "a", input: "Go.", workspace: at("template") }],
      "-k",
      "2",
      "-g",
      "contains:solved",
    );
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(stderr).toContain(`An agent changed the workspace ${at("template")} and our copy of it`);
  });

  test("in the workspace of a case that has not started yet does not reach it", async () => {
    const { at, evaluate } = place();
    for (const name of ["one", "two"]) {
      mkdirSync(at(name));
      writeFileSync(at(`${name}/given.txt`), "given\n");
    }
    const rows = ["one", "two"].map((id) => ({ id, input: "Go.", workspace: at(id) }));
    const { lines } = await evaluate('echo > "$PLACE/two/solved"; ls', rows, "-g", "contains:solved");
    expect(lines).toMatchObject(rows.map(({ id }) => ({ id, output: "given.txt\n", class: "failed" })));
  });

  test("in the cache of repositories does not reach a later evaluation", async () => {
    const { at, env, evaluate } = place();
    mkdirSync(at("repo"));
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main", ...args], {
        cwd: at("repo"),
        env: { ...process.env, ...env },
      });
    git("init", "-q");
    writeFileSync(at("repo/given.txt"), "given\n");
    git("add", "-A");
    git("commit", "-qm", "one");
    const row = { id: "a", input: "Go.", workspace: `${at("repo")}@main` };
    const poison = 'for at in "$PLACE"/data/harness/evaluations/templates/*/*; do echo > "$at/solved"; done; ls';
    await evaluate(poison, [row], "-g", "command:test -e solved");
    const { lines } = await evaluate("ls", [row], "-g", "command:test -e solved", "--force");
    expect(lines).toMatchObject([{ output: "given.txt\n", class: "failed" }]);
  });
});

test("a trial that is lost to us is named", async () => {
  const { at, evaluate } = place();
  const row = { id: "a", input: "Go.", setup: "true" };
  const block = 'rm -rf "$PLACE/data/harness/sessions"; echo > "$PLACE/data/harness/sessions"';
  const { lines, stderr } = await evaluate(block, [row, { ...row, id: "b" }], "-g", "exact:x");
  expect(lines.map((line) => line["class"])).toEqual(["failed", "lost_to_us"]);
  expect(stderr).toContain("generic: 1 of 2 trials were lost to us and do not count (");
  expect(existsSync(at("out.jsonl"))).toBe(true);
});
