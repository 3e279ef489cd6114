import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, harness, jsonLines } from "../../support/harness.ts";
import { type Place, place } from "./support/place.ts";
import { killed, saboteur } from "./support/saboteur.ts";

/** What earlier calls have graded is proven before it counts. The agents are real processes that edit it and kill the evaluator. */

afterAll(cleanUp);

const ROW = { id: "a", input: "Go.", expected: "yes" };
const PASSING = 's/"pass":false/"pass":true/g;s/"class":"failed"/"class":"passed"/g;s/"score":0/"score":1/g';
/** Also what it printed. */
const ANSWERING = `${PASSING};s/"output":"no[^"]*"/"output":"yes"/g`;
const JOURNAL = '"$PLACE"/data/harness/evaluations/journals/*.jsonl';

describe("an agent that edits what was graded and kills the evaluator does not score", () => {
  test.each([
    ["the grades in the journal", `sed -i '${PASSING}' ${JOURNAL}`],
    ["the grades and the answers in the journal", `sed -i '${ANSWERING}' ${JOURNAL}`],
    ["a number of the case in the journal", `sed -i '${ANSWERING};p;s/"trialNum":1/"trialNum":2/' ${JOURNAL}`],
  ])("%s", async (_, deed) => {
    const { code, stderr, lines } = await killed(place("trials"), deed, [ROW], "-k", "2");
    if (code === 0) {
      expect(lines).toMatchObject([
        {
          passRate: 0,
          trials: [
            { class: "failed", output: "no\n" },
            { class: "failed", output: "no\n" },
          ],
        },
      ]);
      expect(stderr).toContain("did not say what the recorded runs show, and were corrected");
    } else {
      expect({ code, lines }).toEqual({ code: 2, lines: [] });
      expect(stderr).toContain("is not one of this trial");
    }
  });

  test.each([
    ["the grades in the results", `sed -i '${PASSING}' "$PLACE/out.jsonl"`],
    ["the grades and the answers in the results", `sed -i '${ANSWERING}' "$PLACE/out.jsonl"`],
    ["what is expected in the results", `sed -i '${PASSING};s/"expected":"yes"/"expected":"no"/' "$PLACE/out.jsonl"`],
    [
      "the status in the results",
      `sed -i 's/"class":"failed"/"class":"lost_to_us"/;s/"status":"completed"/"status":null/' "$PLACE/out.jsonl"`,
    ],
  ])("%s", async (_, deed) => {
    const { code, stderr, lines } = await killed(place("capture"), deed, [ROW, { ...ROW, id: "b" }]);
    expect(lines).toMatchObject(["a", "b"].map((id) => ({ id, expected: "yes", output: "no\n", class: "failed", score: { pass: false } })));
    expect(stderr).toContain("1 result did not say what the recorded runs show, and were corrected");
    expect(code).toBe(0);
  });

  test.each([
    ["points at no run", `sed -i '${ANSWERING};s/"runs":\\[[^]]*\\]/"runs":[]/' "$PLACE/out.jsonl"`, "it names no recorded run"],
    ["deletes the recordings", `sed -i '${ANSWERING}' "$PLACE/out.jsonl"; rm -rf "$PLACE"/data/harness/runs/*`, "is not there"],
    [
      "edits the recordings, too",
      `sed -i '${ANSWERING}' "$PLACE/out.jsonl"; for raw in "$PLACE"/data/harness/runs/*/raw.jsonl; do echo yes > "$raw"; done`,
      "was changed after it was recorded",
    ],
    [
      "adds a result once more",
      `sed '${ANSWERING}' "$PLACE/out.jsonl" > "$PLACE/more"; cat "$PLACE/more" >> "$PLACE/out.jsonl"`,
      "is also the run of a different trial",
    ],
  ])("and %s is rejected, and the file does not change", async (_, deed, problem) => {
    const here = place("capture");
    await here.evaluate(saboteur(deed), [ROW, { ...ROW, id: "b" }], "-g", "exact");
    const forged = readFileSync(here.at("out.jsonl"), "utf8");
    const { code, stderr } = await here.evaluate(saboteur(deed), [ROW, { ...ROW, id: "b" }], "-g", "exact", "--append");
    expect(code).toBe(2);
    expect(stderr).toContain("cannot be shown to be right: case ");
    expect(stderr).toContain(problem);
    expect(stderr).toContain("--trust-grades");
    expect(readFileSync(here.at("out.jsonl"), "utf8")).toBe(forged);
  });
});

describe("an honest file", () => {
  async function finished(): Promise<Place> {
    const here = place("trials");
    await here.evaluate(
      'case "$*" in *One*) echo yes ;; *) echo no ;; esac; echo $$ > made',
      rows,
      "-g",
      "all(exact,command:test -e made)",
      "-k",
      "2",
    );
    return here;
  }
  const rows = [
    { id: "a", input: "One", expected: "yes" },
    { id: "b", input: "Two", expected: "yes" },
  ];

  test("stays byte for byte, and continues", async () => {
    const here = await finished();
    const before = readFileSync(here.at("out.jsonl"), "utf8");
    const more = [...rows, { id: "c", input: "One", expected: "yes" }];
    const args = ["-g", "all(exact,command:test -e made)", "-k", "2", "--append"];
    const { stderr, lines } = await here.evaluate("echo yes; echo > made", more, ...args);
    expect(stderr).toBe("");
    expect(readFileSync(here.at("out.jsonl"), "utf8").startsWith(before)).toBe(true);
    expect(lines).toMatchObject([
      { id: "a", passRate: 1 },
      { id: "b", passRate: 0 },
      { id: "c", passRate: 1 },
    ]);
  });

  test("whose recordings are gone is continued only if it is trusted", async () => {
    const here = await finished();
    rmSync(here.at("data/harness/runs"), { recursive: true });
    const args = ["-g", "all(exact,command:test -e made)", "-k", "2", "--append"];
    const { code, stderr } = await here.evaluate("echo yes", rows, ...args);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/case "a" trial 1: The run \S+ is not there, and 3 more\. /),
    });
    expect(await here.evaluate("echo yes", rows, ...args, "--trust-grades")).toMatchObject({
      code: 0,
      lines: [{ passRate: 1 }, { passRate: 0 }],
    });
  });

  test("is graded from its recordings, not from what a line says", async () => {
    const here = await finished();
    const forged = readFileSync(here.at("out.jsonl"), "utf8").replaceAll('"output":"no\\n"', '"output":"yes"');
    writeFileSync(here.at("out.jsonl"), forged);
    const { stdout } = await harness(["grade", here.at("out.jsonl"), "-g", "exact"], { env: here.env });
    expect(jsonLines(stdout)).toMatchObject([{ passRate: 1 }, { passRate: 0, trials: [{ output: "no\n" }, { output: "no\n" }] }]);
  });

  test("of a different tool, without recordings, can still be graded", async () => {
    const { at, env } = place();
    appendFileSync(at("theirs.jsonl"), `${JSON.stringify({ id: "a", input: "One", output: "yes", expected: "yes", trajectory: [] })}\n`);
    const { stdout, code } = await harness(["grade", at("theirs.jsonl"), "-g", "exact"], { env });
    expect({ code, lines: jsonLines(stdout) }).toMatchObject({ code: 0, lines: [{ score: { pass: true } }] });
    expect(existsSync(at("data/harness/runs")) ? readdirSync(at("data/harness/runs")) : []).toEqual([]);
  });
});
