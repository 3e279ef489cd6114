import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXAMPLE } from "../../../src/app/cli/evaluate/example.ts";
import { resultCase } from "../../../src/app/web/result-case.ts";
import { overridesIn } from "../../../src/host/prices/overrides.ts";
import { judgeConversation } from "../../../src/work/evaluate/adapter/judge-conversation.ts";
import { calibrate } from "../../../src/work/evaluate/calibrate.ts";
import { openCases } from "../../../src/work/evaluate/cases/open-cases.ts";
import { readCase } from "../../../src/work/evaluate/cases/read-case.ts";
import { compare } from "../../../src/work/evaluate/compare/compare.ts";
import { openDefinition } from "../../../src/work/evaluate/definition/options-of.ts";
import { replyIn } from "../../../src/work/evaluate/graders/endpoint-judge.ts";
import { jsonSchemaGrader } from "../../../src/work/evaluate/graders/json-schema-grader.ts";
import { parseVerdict } from "../../../src/work/evaluate/graders/read-verdict.ts";
import { verdictIn } from "../../../src/work/evaluate/graders/verdict-in.ts";
import { answerAt, readAnswers } from "../../../src/work/evaluate/prefer/read-answers.ts";
import { readCalibration } from "../../../src/work/evaluate/read-calibration.ts";
import { csvReport } from "../../../src/work/evaluate/reports/csv-report.ts";
import { htmlReport } from "../../../src/work/evaluate/reports/html-report.ts";
import { junitReport } from "../../../src/work/evaluate/reports/junit-report.ts";
import { markdownReport } from "../../../src/work/evaluate/reports/markdown-report.ts";
import { openJournal } from "../../../src/work/evaluate/results/journal.ts";
import { readResults } from "../../../src/work/evaluate/results/read-results.ts";
import { continued } from "../../../src/work/evaluate/results/result-file.ts";
import { summarize, summarizeAsMarkdown } from "../../../src/work/evaluate/summarize.ts";
import { bytesOf, type Parser } from "./parser.ts";
import { withFile } from "./recorded-parsers.ts";
import { scratch } from "./scratch.ts";

const TRIAL =
  '{"trialNum":1,"output":"done","pass":true,"score":1,"reasoning":"fine","status":"completed","reason":"result","duration":1200,"runs":["20261116-083355-mzqytw"],"errors":[],"usage":{"input":3,"cacheRead":1,"cacheWrite":0,"output":9,"reasoning":0},"cost":0.01,"timing":{"start":1,"end":2},"judging":{"attempts":1,"usage":{"input":1}},"trajectory":[{"type":"message","content":"hi","timestamp":1,"stepId":"a"},{"type":"tool_call","name":"Bash","status":"completed","input":{"command":"ls"},"output":"x","duration":2}]}';
const RESULTS = [
  `{"id":"a","agent":"one","model":"m","input":"Do it.","expected":"done","caseHash":"c","configuration":"f","metadata":{"agent":"own"},"k":1,"passRate":1,"trials":[${TRIAL},${TRIAL}]}\n`,
  `{"id":"b","input":["one","two"],"output":"x","toolErrors":false,"metadata":{"agent":"one"},"score":{"pass":false,"score":0.2,"reasoning":"no"},"status":"failed","errors":["late"],"runs":[],"partialUsage":{"tokens":{"input":1},"covers":"main"},"trajectory":[{"type":"thought","content":"?"},{"type":"plan","entries":[{"content":"x","status":"pending"}]}],"timing":{"start":1,"end":5,"firstResponse":2}}\n`,
  '{"id":"c","input":"x","output":"y","gradeError":"broken","uncountedGrade":{"pass":true,"score":1},"status":"timeout","lost":[{"runs":["r"]}],"partialCost":{"costUsd":0.1}}\n',
];
const SPEC =
  '{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"array","items":{"$ref":"#/$defs/b"}}},"required":["a"],"$defs":{"b":{"type":"string","pattern":"^a+$"}}}';

/** Data sets, results, and what graders and judges answer. */
export function evaluatedParsers(root: string): readonly Parser[] {
  return [
    {
      name: "cases",
      form: "json",
      reads: ["src/work/evaluate/cases/read-case.ts"],
      valid: () => [
        ...readFileSync(join(root, "examples/tasks/cases.jsonl"), "utf8").trim().split("\n").slice(0, 5),
        '{"id":"a","input":["one","two"],"hint":"x","metadata":{"level":1},"timeout":60000,"workspace":"git https://x/y@v1","setup":"npm ci"}',
      ],
      read: (input) => readCase(input, "cases.jsonl:1", new Set()),
    },
    {
      name: "data set, CSV",
      form: "text",
      reads: ["src/work/evaluate/cases/csv-rows.ts", "src/work/evaluate/cases/parse-rows.ts"],
      valid: () => ['id,input,expected,level\na,"Say ""hi"", then\nstop",hi,1\nb,x,,\n', "\uFEFFid,input,metadata.x\r\na,b,c\r\n"],
      read: withFile("cases.csv", opened),
    },
    {
      name: "data set, YAML and JSON",
      form: "text",
      reads: ["src/work/evaluate/cases/parse-rows.ts"],
      valid: () => [
        "cases:\n  - id: a\n    input: [one, two]\n    metadata: &m {level: 1}\n  - id: b\n    input: |\n      x\n    metadata: *m\n",
        '[{"id":"a","input":"x","timeout":5}]',
      ],
      read: withFile("cases.yaml", opened),
    },
    {
      name: "data set, task folder",
      form: "text",
      reads: ["src/work/evaluate/cases/task-rows.ts"],
      valid: () => ["input: Do it.\nmetadata:\n  level: &a 1\n  other: *a\ntimeout: 60000\n", '{"input":["one","two"]}'],
      read: withFile("tasks/one/task.yaml", (path) => opened(join(path, "../.."))),
    },
    {
      name: "evaluation, YAML and JSON",
      form: "text",
      reads: ["src/work/evaluate/definition/read-definition.ts"],
      valid: () => [EXAMPLE.evaluation, '{"cases":"c.jsonl","sides":[{"agent":"claude","env":{"A":null}}],"where":{"level":1}}'],
      read: withFile("eval.yaml", openDefinition),
    },
    {
      name: "evaluation, TOML",
      form: "text",
      reads: ["src/work/evaluate/definition/read-definition.ts"],
      valid: () => ['cases = "c.jsonl"\nk = 3\n[limits]\ntimeout = "10m"\n[[sides]]\nagent = "codex"\nargs = ["-c", "x=1"]\n'],
      read: withFile("eval.toml", openDefinition),
    },
    {
      name: "prices.json",
      form: "json",
      reads: ["src/host/prices/overrides.ts"],
      valid: () => ['{"m":{"input":1,"output":2,"cacheRead":null,"cacheWrite":0.5}}'],
      read: withFile("harness/prices.json", (path) => overridesIn({ XDG_CONFIG_HOME: join(path, "../..") })),
    },
    {
      name: "results",
      form: "lines",
      reads: [
        "src/work/evaluate/cases/read-lines.ts",
        "src/work/evaluate/compare/read-sides.ts",
        "src/work/evaluate/results/read-results.ts",
        "src/work/evaluate/prefer/read-answers.ts",
        "src/app/web/result-case.ts",
      ],
      valid: () => [...RESULTS, RESULTS.join("")],
      read: withFile("results.jsonl", (path, input) => {
        const isOne = input.length % 4;
        if (isOne === 0)
          for (const side of readAnswers([path])) for (const places of side.cases.values()) for (const at of places) answerAt(at);
        if (isOne === 1) {
          for (const summary of summarize(path)) JSON.stringify(summary);
          for (const _ of summarizeAsMarkdown(path));
        }
        if (isOne === 2) calibrate(path, { all: true });
        if (isOne === 3) {
          const lines = [...readResults(path)].map(({ offset, length }) => ({ path, offset, length, side: 0 }));
          JSON.stringify(resultCase({ key: "k", id: "a", lines }, ["one"], () => true));
        }
      }),
    },
    {
      name: "results, compared",
      form: "lines",
      reads: ["src/work/evaluate/compare/read-sides.ts"],
      valid: () => [...RESULTS, RESULTS.join("")],
      read: withFile("compared.jsonl", (path) => {
        const comparison = compare([path, path]);
        for (const report of [csvReport, junitReport, markdownReport]) report(comparison);
        htmlReport(comparison, "x");
      }),
    },
    {
      name: "results, continued",
      form: "lines",
      reads: ["src/work/evaluate/results/result-file.ts"],
      valid: () => [...RESULTS, RESULTS.join("")],
      read: withFile("continued.jsonl", (path) => {
        const { torn } = continued(path, () => undefined);
        if (torn !== undefined) rmSync(torn);
      }),
    },
    {
      name: "calibration page",
      form: "text",
      reads: ["src/work/evaluate/read-calibration.ts"],
      valid() {
        const marks = calibrate(resultsFile(), { all: true }).map(({ mark }) => mark);
        return marks.map((mark) => `- [x] The verdict is right <!-- right ${mark} -->\n- [ ] It is wrong <!-- wrong ${mark} -->\n`);
      },
      read: withFile("page.md", (path) => readCalibration(resultsFile(), path)),
    },
    {
      name: "journal",
      form: "lines",
      reads: ["src/work/evaluate/results/journal.ts"],
      valid: () => [`{"key":"[\\"a\\",\\"one\\",\\"f\\",\\"c\\"]","entry":${TRIAL}}\n`.repeat(2)],
      read: lazily(() => {
        const root = scratch("data/x").slice(0, -2);
        const folder = join(root, "evaluations/journals");
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const name = createHash("sha256").update("/results.jsonl").digest("hex").slice(0, 32);
        const work = { id: "a", agent: "one", configuration: "f", caseHash: "c" };
        return (input: string) => {
          writeFileSync(join(folder, `${name}.jsonl`), bytesOf(input), { mode: 0o600 });
          const journal = openJournal({ root } as never, "/results.jsonl", { isContinued: true });
          journal.entriesOf(work);
          journal.close();
        };
      }),
    },
    {
      name: "verdict",
      form: "json",
      reads: ["src/work/evaluate/graders/read-verdict.ts", "src/work/evaluate/graders/verdict-in.ts"],
      valid: () => [
        '{"pass":true,"score":0.5,"reasoning":"fine","nonce":"n0nce"}',
        'I think so.\n```json\n{"pass":false,"nonce":"n0nce"}\n```',
      ],
      read(input) {
        parseVerdict(input);
        return verdictIn(input, "n0nce");
      },
    },
    {
      name: "judge's HTTP answer",
      form: "json",
      reads: ["src/work/evaluate/graders/endpoint-judge.ts"],
      valid: () => [
        '{"choices":[{"message":{"content":[{"type":"text","text":"yes"}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":1},"cost":0.1}}',
        '{"error":{"message":"overloaded","type":"rate_limit","code":429}}',
      ],
      read: (input) =>
        replyIn({ status: input.length % 2 === 0 ? 200 : 529, ok: input.length % 2 === 0, headers: new Headers() } as Response, input),
    },
    {
      name: "answer for a JSON schema",
      form: "json",
      reads: ["src/work/evaluate/graders/json-schema-grader.ts"],
      valid: () => ['{"a":1,"b":["aa"]}', 'Here:\n```json\n{"a":2}\n```\n'],
      read: lazily(() => {
        const path = scratch("schema.json");
        writeFileSync(path, SPEC);
        const grader = jsonSchemaGrader(path, "/");
        return (output: string) => grader.grade({ output } as never, new AbortController().signal);
      }),
    },
    {
      name: "JSON schema of a grader",
      form: "json",
      reads: ["src/work/evaluate/graders/json-schema-grader.ts"],
      valid: () => [SPEC],
      read: withFile("schema.json", async (path) => {
        const grader = jsonSchemaGrader(path, "/");
        await grader.flaw?.();
        return grader.grade({ output: '{"a":1,"b":["aa","b"]}' } as never, new AbortController().signal);
      }),
    },
    {
      name: "conversation with an adapter",
      form: "lines",
      reads: ["src/work/evaluate/adapter/judge-conversation.ts"],
      valid: () => [
        '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}\n{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}\n{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk"}}}\n{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}',
      ],
      read: (input) =>
        judgeConversation({
          ours: ["initialize", "session/new", "session/prompt"].map((method, id) => JSON.stringify({ jsonrpc: "2.0", id, method })),
          theirs: input.split("\n"),
          status: "completed",
          exitCode: 0,
        } as never),
    },
  ];
}

function opened(path: string): void {
  const cases = openCases(path);
  for (const place of cases.places) cases.read(place);
}

function resultsFile(): string {
  const path = scratch("calibrated.jsonl");
  if (!existsSync(path)) writeFileSync(path, RESULTS[0] ?? "");
  return path;
}

export function lazily(make: () => Parser["read"]): Parser["read"] {
  let read: Parser["read"] | undefined;
  return (input) => {
    read ??= make();
    return read(input);
  };
}
