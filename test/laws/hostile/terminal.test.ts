import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { views } from "../../../src/pure/views/index.ts";
import { everyCommand } from "../../support/commands.ts";
import { sample } from "../../support/full.ts";
import { BIN, hasTerminal } from "../../support/harness.ts";
import { hostile } from "../../support/hostile.ts";
import { serveJudge } from "../../support/judge-server.ts";
import { cleanUp, jsonLines, type Place, place, quoted } from "../../support/place.ts";

/** S8 and case 71: agents, files and settings full of control characters, and every command on a real terminal. */

/** Sequences that our own output uses too, each inside a word, where we never write one. */
const FORGED = ["[31m", "[1m", "[2m", "[39m", "[K", "[J", "[2A", "[?2026h", "[1;1H"].map((end) => `FOR\u001b${end}GED`).join("");
const EVIL = `x${Object.values(hostile).join(" ")} ${FORGED} \u001b]0;t\u009c \u001bP1$r\u009c 世界 👍 e\u0301 z`;
/** For places that a program passes on as arguments or file names. */
const NAME = EVIL.replaceAll("\0", "")
  .replaceAll("/", "|")
  .replaceAll(/[\ud800-\udfff](?![\udc00-\udfff])/g, "")
  .slice(0, 60);
const ARGUMENT = Buffer.from(EVIL.replaceAll("\0", "")).toString();
/** Eight-bit control codes, which are not UTF-8. */
const BYTES = Buffer.from([0x9b, 0x32, 0x4a, 0x9d, 0x30, 0x3b, 0x78, 0x9c, 0x90, 0x9f, 0x85, 0xff, 0x0a]);

/** Colors and drawing: all the sequences that we write. */
const OURS = /\x1b\[(?:(?:0|1|2|7|22|27|31|32|33|34|35|36|39)m|[KJ]|2K|2J|H|\d+A|\d+;1H|\?(?:7|25|1049|2026)[hl])/g;
const HIDDEN = /(?!\n|\t|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What reached the terminal and is not ours. */
function foreign(bytes: Buffer): readonly string[] {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const forged = text.match(/FOR\x1b\[[\d;?]*[A-Za-z]GED/g) ?? [];
  // A terminal adds a carriage return to each newline; ours stand in front of what they erase or draw.
  const rest = text
    .replaceAll(/\r+\n/g, "\n")
    .replaceAll(OURS, "\u0001")
    .replaceAll(/\r(?=\u0001)|\u0001(\r)/g, "\u0001");
  const hidden = rest.replaceAll("\u0001", "").match(HIDDEN) ?? [];
  return [...forged, ...hidden].map((each) => JSON.stringify(each));
}

test("the sweep itself finds what is not ours", () => {
  for (const [name, text] of Object.entries(hostile)) {
    if (name === "lone surrogates") continue; // they cannot be sent as UTF-8
    if (name !== "SGR" && name !== "clear screen" && name !== "alternate screen") expect(foreign(Buffer.from(text)), name).not.toEqual([]);
  }
  expect(foreign(Buffer.from(FORGED))).toHaveLength(9);
  expect(() => foreign(BYTES)).toThrow();
  expect(foreign(Buffer.from("\u001b[31mred\u001b[39m\r\nplain\r\u001b[K世界 👍\r\n"))).toEqual([]);
});

/** Lines of Claude Code with the text everywhere an agent can put text. */
function agentLines(text: string): string {
  const session = { session_id: `s${text}` };
  const use = (id: string, name: string, input: object) => ({
    type: "assistant",
    message: { id: `m${id}`, model: `m${text}`, content: [{ type: "tool_use", id, name, input }] },
    ...session,
  });
  const answer = (id: string, isError: boolean) => ({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, content: `${text}\n${text}`, is_error: isError }] },
    ...session,
  });
  const lines = [
    { type: "system", subtype: "init", cwd: `/w${text}`, model: `model${text}`, tools: [text], claude_code_version: text, ...session },
    { type: "assistant", message: { id: "1", content: [{ type: "thinking", thinking: text }] }, ...session },
    { type: "assistant", message: { id: "2", content: [{ type: "text", text: `# ${text}\n\n- ${text}` }] }, ...session },
    use("t1", "Bash", { command: `echo ${text}`, description: text }),
    answer("t1", true),
    use("t2", "Read", { file_path: `/w/${text}.txt` }),
    answer("t2", false),
    use("t3", "Write", { file_path: text, content: text }),
    answer("t3", false),
    use("t4", "Grep", { pattern: text, path: text }),
    answer("t4", true),
    use("t5", "Task", { description: text, prompt: text, subagent_type: text }),
    answer("t5", false),
    use("t6", "TodoWrite", { todos: [{ content: text, status: "in_progress", activeForm: text }] }),
    answer("t6", false),
    use(`t7${text}`, `mcp__${text}`, { [text]: text }),
    answer(`t7${text}`, true),
    { type: `strange${text}`, [text]: text },
    { type: "system", subtype: `status${text}`, message: text, ...session },
    { type: "result", subtype: "success", is_error: false, result: `done ${text}`, usage: {}, permission_denials: [], ...session },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

let here: Place;
let base: string;
let judge: Awaited<ReturnType<typeof serveJudge>>;

beforeAll(async () => {
  here = place();
  base = join(here.root, "..");
  mkdirSync(given(join("template", NAME)), { recursive: true });
  writeFileSync(given(`template/${NAME}/${NAME}`), EVIL);
  writeFileSync(
    given("out.txt"),
    Buffer.concat([Buffer.from(agentLines(EVIL)), Buffer.from(`not json ${EVIL.replaceAll("\n", " ")}\n`), BYTES]),
  );
  writeFileSync(given("err.txt"), Buffer.concat([Buffer.from(`${EVIL}\nError: ${EVIL}\n`), BYTES]));
  writeFileSync(given("agent.sh"), `cat '${given("err.txt")}' >&2; cat '${given("out.txt")}'; cp -r '${given("template")}/.' made\n`);
  const adapter = `#!/bin/sh\nread line; cat '${given("err.txt")}' >&2; cat '${given("out.txt")}'\n`;
  writeFileSync(given("adapter.sh"), adapter);
  chmodSync(given("adapter.sh"), 0o755);
  const row = {
    id: NAME.replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}/gu, ""),
    input: ARGUMENT,
    expected: ARGUMENT,
    reference: "true",
    metadata: { [ARGUMENT]: ARGUMENT },
  };
  writeFileSync(given("cases.jsonl"), `${JSON.stringify(row)}\n`);
  const evaluation = {
    cases: "cases.jsonl",
    workspace: "template",
    graders: [`command:cat ${given("err.txt")} >&2; exit 1`],
    output: "../evaluated.jsonl",
    reports: ["../evaluated.html"],
    sides: [{ name: ARGUMENT, model: ARGUMENT, agent: "generic", command: `sh ${given("agent.sh")}` }],
  };
  writeFileSync(given("eval.json"), JSON.stringify(evaluation));
  writeFileSync(given("broken.json"), JSON.stringify({ ...evaluation, [ARGUMENT]: ARGUMENT }));
  writeFileSync(given("rubric.md"), EVIL);
  writeFileSync(given("model.yaml"), "turns:\n  - text: hello\n");
  writeFileSync(given("broken.jsonl"), `{"id":${JSON.stringify(EVIL)},"${EVIL}\n`);
  writeFileSync(given("scenario.md"), `# ${ARGUMENT}\n\n## User Request\n\n${ARGUMENT}\n`);
  const session = given("store/.pi/agent/sessions/--at--");
  mkdirSync(session, { recursive: true });
  const asked = { role: "user", content: [{ type: "text", text: EVIL }] };
  const entries = [
    { type: "session", id: ARGUMENT, cwd: ARGUMENT },
    { type: "message", id: "m", message: asked },
  ];
  const at = "2026-11-15T23:26:18.545Z";
  writeFileSync(join(session, "2026_s1.jsonl"), entries.map((entry) => `${JSON.stringify({ ...entry, timestamp: at })}\n`).join(""));
  mkdirSync(join(base, "config/harness"), { recursive: true });
  const written = JSON.stringify(ARGUMENT)
    .replaceAll(/[\u007f-\u009f]/g, "")
    .replaceAll(/\\ud[89a-f]\w\w/g, "");
  const settings = `[agents.claude]\nargs = [${written}]\n[agents.claude.models]\n${written} = "m"\n`;
  writeFileSync(join(base, "config/harness/harness.toml"), settings);
  const content = JSON.stringify({ pass: false, score: 0, better: "first", reasoning: EVIL });
  judge = await serveJudge(() => ({ body: { model: EVIL, choices: [{ message: { content } }] } }));
});

afterAll(async () => {
  await judge[Symbol.asyncDispose]();
  cleanUp();
});

const given = (name: string) => join(base, "given", name);
const made = (name: string) => join(base, name);
const judges = () => ["--judge-url", judge.url, "--judge-model", "m"];
const agent = () => [
  "--agent",
  "generic",
  "--like",
  "claude",
  "--command",
  `sh ${given("agent.sh")}`,
  "--name",
  ARGUMENT,
  "--tag",
  ARGUMENT,
];
const grader = () => [
  "-g",
  `command:cat ${given("err.txt")} >&2; cat ${given("out.txt")}; exit 1`,
  "-g",
  `llm:${given("rubric.md")}`,
  ...judges(),
];
const cases = () => [
  given("cases.jsonl"),
  "--workspace",
  given("template"),
  "--no-check",
  "--agent",
  "generic",
  "--command",
  `sh ${given("agent.sh")}`,
  ...grader(),
];

/** The calls of every command, in order: each reads what those before it have written. */
const SWEEP: Readonly<Record<string, () => readonly (readonly string[])[]>> = {
  run: () => [
    ["run", "-p", ARGUMENT, "-m", ARGUMENT, "-C", given(`template/${NAME}`), ...agent(), "--dry-run"],
    ["run", "-p", ARGUMENT, "-m", ARGUMENT, "-C", given(`template/${NAME}`), ...agent()],
    ["run", "-p", ARGUMENT, ...agent(), "--json"],
    ...Object.keys(views).map((view) => ["run", "-p", "Go.", ...agent(), "--view", view]),
    ["run", "-p", "Go.", "--agent", "acp", "--command", given("adapter.sh")],
  ],
  observe: () => [
    ["observe", "-p", ARGUMENT, "--workspace", given("template"), "-o", made(`out${NAME}`), ...agent()],
    ["observe", given("scenario.md"), "-o", made("out"), ...agent(), "--json"],
  ],
  demo: () => [["demo", "--speed", "max"]],
  capture: () => [
    ["capture", ...cases(), "-o", made("captured.jsonl")],
    ["capture", ...cases(), "--progress"],
  ],
  trials: () => [
    ["trials", ...cases(), "-k", "1", "-o", made("a.jsonl")],
    ["trials", ...cases(), "-k", "1"],
  ],
  evaluate: () => [
    ["evaluate", given("eval.json"), "--no-check", "--dry-run"],
    ["evaluate", given("eval.json"), "--no-check"],
    ["evaluate", "--init", made("init.yaml")],
  ],
  grade: () => [
    ["grade", made("a.jsonl"), ...grader(), "-o", made("b.jsonl")],
    ["grade", made("a.jsonl"), ...grader()],
  ],
  compare: () => [[], ["--markdown"], ["--json"]].map((more) => ["compare", made("a.jsonl"), made("b.jsonl"), ...more]),
  trend: () => [[], ["--markdown"], ["--json"]].map((more) => ["trend", made("a.jsonl"), made("evaluated.jsonl"), ...more]),
  prefer: () => [["prefer", made("a.jsonl"), made("b.jsonl"), "--rubric", given("rubric.md"), ...judges()]],
  summarize: () => [
    ["summarize", made("captured.jsonl")],
    ["summarize", made("captured.jsonl"), "--markdown"],
  ],
  "validate-refs": () => [["validate-refs", given("cases.jsonl"), "--workspace", given("template"), ...grader()]],
  calibrate: () => [
    ["calibrate", made("a.jsonl")],
    ["calibrate", made("a.jsonl"), "--json"],
    ["calibrate", made("a.jsonl"), "-o", made("page.md")],
    ["calibrate", made("a.jsonl"), "--read", made("page.md")],
  ],
  balance: () => [
    ["balance", given("cases.jsonl")],
    ["balance", given("cases.jsonl"), "--json"],
  ],
  watch: () => [["watch"], ["watch", "last"], ["watch", "last", "--json"]],
  view: () => [
    ["view", "last", "--export", made(`run${NAME}.html`)],
    ["view", "--no-open", "--port", "0"],
  ],
  replay: () => [
    ["replay", "last", "--speed", "max"],
    ["replay", "last", "--speed", "max", "--json"],
  ],
  rerun: () => [["rerun", "last"]],
  "runs list": () => [
    ["runs", "list"],
    ["runs", "list", "--json"],
  ],
  "runs show": () => [
    ["runs", "show", "last"],
    ["runs", "show", "last", "--json"],
  ],
  "runs path": () => [["runs", "path", "last"]],
  "runs verify": () => [["runs", "verify", "last"]],
  derive: () => [
    ...Object.keys(views).flatMap((view) => [
      ["derive", "last", "--view", view],
      ["derive", "last", "--view", view, "--json"],
    ]),
    ["derive", given("out.txt"), "--agent", "claude"],
    ["derive", given("out.txt"), "--agent", "generic", "--view", "log"],
  ],
  graph: () => [
    ["graph", "last"],
    ["graph", "last", "--format", "mermaid"],
    ["graph", "last", "--format", "dot"],
  ],
  import: () => [
    ["import", given("store")],
    ["import", given("store"), "--dry-run"],
    ["import", given("store"), "--json"],
  ],
  usage: () => [
    ["usage", "--by", "project"],
    ["usage", "--by", "session", "--json"],
  ],
  bundle: () => [["bundle", "last", "-o", made(`run${NAME}.tar`)]],
  check: () => [
    ["check", "last"],
    ["check", "last", "--json"],
  ],
  verify: () => [
    ["verify", made("out")],
    ["verify", "last", "--json"],
    ["verify", made(`run${NAME}.tar`)],
  ],
  "agents list": () => [["agents", "list"]],
  "agents check": () => [["agents", "check", "generic", "--binary", given("adapter.sh")]],
  "adapter:check": () => [
    ["adapter:check", "--timeout", "5s", "--", given("adapter.sh")],
    ["adapter:check", "--timeout", "5s", "--json", "--", given("adapter.sh")],
  ],
  "adapter:scaffold": () => [["adapter:scaffold", "mine", "-o", made(`adapter${NAME}`)]],
  model: () => [["model", given("model.yaml"), "--check"]],
  conformance: () => [["conformance", "--help"]],
  "config show": () => [
    ["config", "show"],
    ["config", "show", "--json"],
  ],
  "config path": () => [["config", "path"]],
  "config init": () => [["config", "init"]],
  "prices show": () => [["prices", "gpt-5", ARGUMENT], ["prices"]],
  "prices set": () => [["prices", "set", ARGUMENT, "--input", "1", "--output", "2"]],
  "prices remove": () => [["prices", "remove", ARGUMENT]],
  schemas: () => [["schemas"], ["schemas", "log"]],
  completion: () => [["completion", "bash"]],
  complete: () => [
    ["complete", "--", "derive", ARGUMENT],
    ["complete", "--", "runs", "show", ""],
    ["complete", "--", "run", "-m", ""],
  ],
  help: () => [["help"]],
  "runs prune": () => [["runs", "prune", "--keep", "100", "--dry-run"]],
  "runs rm": () => [["runs", "rm", "last"]],
};

test("the sweep calls every command", () => {
  expect(Object.keys(SWEEP).sort()).toEqual(everyCommand());
});

/** Commands that run until a key or a signal ends them. */
const ENDLESS = new Set(["watch", "view"]);

/** What a terminal receives. The working directory has a hostile name. */
async function onTerminal(args: readonly string[]): Promise<{ readonly bytes: Buffer; readonly code: number | null }> {
  const line = [process.execPath, BIN, ...args].map(quoted).join(" ");
  const shell = `stty cols 100 rows 40; exec timeout --foreground ${ENDLESS.has(args[0] ?? "") ? "-s INT 3" : "100"} ${line}`;
  const env = { TERM: "xterm", JUDGE_API_KEY: "k", CI: undefined };
  const { child, done } = here.spawn("script", ["-qec", shell, "/dev/null"], { env, cwd: given(join("template", NAME)), stdin: null });
  const pieces: Buffer[] = [];
  child.stdout?.on("data", (piece: Buffer) => pieces.push(piece));
  const { code } = await done;
  return { bytes: Buffer.concat(pieces), code };
}

describe.runIf(hasTerminal)("S8, case 71: no byte reaches the terminal that is not ours", () => {
  test.each(Object.keys(SWEEP))("harness %s", { timeout: 300_000 }, async (name) => {
    for (const args of SWEEP[name]?.() ?? []) {
      const { bytes, code } = await onTerminal(args);
      const rejected = name === "rerun" ? [2] : []; // these runs have no requests to repeat
      expect(ENDLESS.has(name) ? [0, 1, 124, 130] : [0, 1, ...rejected], `${args.join(" ")}: ${bytes}`).toContain(code);
      expect({ args, foreign: foreign(bytes) }).toEqual({ args, foreign: [] });
      if (args.includes("--json")) expect(() => jsonLines(bytes.toString().replaceAll(/^harness: .*$|\r/gm, "")), `${bytes}`).not.toThrow();
    }
  });

  test.each(sample(Object.keys(SWEEP), 10))("misuse of harness %s", { timeout: 300_000 }, async (name) => {
    const path = name.split(" ");
    for (const args of [
      [...path, ARGUMENT],
      [...path, `--${ARGUMENT}`],
      [...path, given("broken.jsonl")],
      [...path, given("broken.json")],
      [...path, given(ARGUMENT), ARGUMENT],
    ]) {
      expect({ args, foreign: foreign((await onTerminal(args)).bytes) }).toEqual({ args, foreign: [] });
    }
  });
});
