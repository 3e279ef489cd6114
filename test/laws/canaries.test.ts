import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, inflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { views } from "../../src/pure/views/index.ts";
import { everyCommand } from "../support/commands.ts";
import { completion, serveJudge } from "../support/judge-server.ts";
import { cleanUp, command, type Done, type Place, place } from "../support/place.ts";

/** S2: secrets from every source, in every form, and every command that could show them. */

const ENVIRONMENT = { CANARY_TOKEN: "cnry/env+0001?tok", PLAIN_NAME: "cnry listed 0002 val", DATABASE_URL: "pg://app:cnry-url-0003@db/x" };
const OPTION = "cnry'opt\"0004=val";
const MCP = { header: "cnry-mcp-hdr-0005", argument: "cnry-mcp-arg-0006", key: "cnry-mcp-key-0007" };
const SECRETS = [ENVIRONMENT.CANARY_TOKEN, ENVIRONMENT.PLAIN_NAME, "cnry-url-0003", OPTION, ...Object.values(MCP)];

/** The secrets that can be read from these bytes, decoded in every way. */
function leaks(bytes: Buffer): string[] {
  const text = bytes.toString("latin1");
  const joined = text.replaceAll(/\\+[nr]|\r?\n/g, "");
  const signs = joined.replaceAll(/[-_]/g, (sign) => (sign === "-" ? "+" : "/"));
  const runs = [...(joined.match(/[A-Za-z0-9+/]{12,}/g) ?? []), ...(signs.match(/[A-Za-z0-9+/]{12,}/g) ?? [])];
  const decoded = runs.flatMap((run) => [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), "base64").toString("latin1")));
  const hex = (joined.match(/[0-9a-fA-F]{16,}/g) ?? []).flatMap((run) =>
    [run, run.slice(1)].map((digits) => Buffer.from(digits, "hex").toString("latin1")),
  );
  const seen = [text, piecesIn(text), ...patched(text), ...decoded, ...hex].join("\u0000");
  return SECRETS.filter((secret) => {
    const once = JSON.stringify(secret).slice(1, -1);
    const url = encodeURIComponent(secret);
    return [secret, once, JSON.stringify(once).slice(1, -1), url].some((form) => seen.includes(form));
  });
}

/** The texts of the lines of JSON, joined by their names. */
function piecesIn(text: string): string {
  const texts = new Map<string, string>();
  for (const line of text.split("\n")) {
    for (const [, name = "", value = ""] of line.matchAll(/"(\w+)":"((?:[^"\\]|\\.)*)"/g)) texts.set(name, (texts.get(name) ?? "") + value);
  }
  return [...texts.values()].join("\u0000");
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/** The contents of the binary patches in a text. */
function patched(text: string): string[] {
  return Array.from(withoutEntities(text).matchAll(/^literal \d+\n((?:[A-Za-z].+\n)+)/gm), ([, lines = ""]) => {
    const packed = lines
      .trimEnd()
      .split("\n")
      .map((line) => {
        const length = line.charCodeAt(0) - (line.charCodeAt(0) >= 97 ? 70 : 64);
        const groups = line.slice(1).match(/.{5}/g) ?? [];
        const bytes = groups.flatMap((group) => {
          const value = Array.from(group).reduce((sum, digit) => sum * 85 + DIGITS.indexOf(digit), 0);
          return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
        });
        return Buffer.from(bytes.slice(0, length));
      });
    return inflateSync(Buffer.concat(packed), { finishFlush: constants.Z_SYNC_FLUSH }).toString("latin1"); // a report may cut a patch
  });
}

/** A patch in a page. */
function withoutEntities(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

test("the sweep itself finds a secret in every form", () => {
  for (const secret of SECRETS) {
    const bytes = Buffer.from(`12345${secret}67`);
    const base64 = bytes.toString("base64");
    const forms = [bytes.toString(), JSON.stringify(bytes.toString()), encodeURIComponent(bytes.toString()), bytes.toString("hex"), base64];
    const pieces = (form: string) => (form.match(/.{1,5}/gs) ?? []).map((text) => JSON.stringify({ text })).join("\n");
    for (const form of [
      ...forms,
      pieces(bytes.toString()),
      `${base64.slice(0, 9)}\n${base64.slice(9)}`,
      `${base64.slice(0, 9)}\\n${base64.slice(9)}`,
    ])
      expect(leaks(Buffer.from(form)), form).toEqual([secret]);
  }
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
}

/** The agent's own workspace, and what the test has written. */
const THEIRS = /\/(?:out\/workspace|given)(?:\/|$)/;

function leaksOnDisk(root: string): string[] {
  return filesBelow(root)
    .filter((path) => !THEIRS.test(path))
    .flatMap((path) => [
      ...leaks(Buffer.from(path.slice(root.length))).map((secret) => `name of ${path}: ${secret}`),
      ...(statSync(path, { throwIfNoEntry: false })?.isFile() ? leaks(readFileSync(path)).map((secret) => `${path}: ${secret}`) : []),
    ]);
}

let here: Place;
let base: string;
let judge: Awaited<ReturnType<typeof serveJudge>>;

beforeAll(async () => {
  here = place();
  base = join(here.root, "..");
  const given = join(base, "given");
  mkdirSync(join(given, "template", ENVIRONMENT.CANARY_TOKEN.replaceAll("/", "-")), { recursive: true });
  mkdirSync(join(given, "at cnry listed 0002 val"));
  writeFileSync(join(given, "template/.env"), `TOKEN=${ENVIRONMENT.CANARY_TOKEN}\n`);
  const remote = { type: "http", url: `https://mcp.example/?api_key=${MCP.key}`, headers: { "X-Team": MCP.header } };
  const local = { command: "true", args: ["--token", MCP.argument] };
  writeFileSync(join(given, "mcp.json"), JSON.stringify({ mcpServers: { remote, local } }));
  const row = { id: "one", input: `Say ${OPTION}`, expected: `It is ${ENVIRONMENT.CANARY_TOKEN}`, reference: "true" };
  writeFileSync(join(given, "cases.jsonl"), `${JSON.stringify(row)}\n`);
  writeFileSync(join(given, "rubric.md"), `Look for ${ENVIRONMENT.CANARY_TOKEN}.\n`);
  const settings = {
    cases: "cases.jsonl",
    workspace: "template",
    graders: ["command:cat forms.txt >&2; exit 1"],
    output: "../evaluated.jsonl",
    reports: ["html", "md", "csv", "xml", "json"].map((kind) => `../evaluated.${kind}`),
    defaults: { agent: "generic", env: { DB_PASS: OPTION, PLAIN_NAME: null }, secrets: ["PLAIN_NAME"], mcp: { remote, local } },
    sides: [{ name: "canary", command: command("canaries.mjs", ...Object.values(MCP)).at(-1) }],
  };
  writeFileSync(join(given, "eval.yaml"), JSON.stringify(settings));
  writeFileSync(join(given, "model.yaml"), `turns:\n  - text: ${ENVIRONMENT.CANARY_TOKEN}\n`);
  const session = join(given, "store/.pi/agent/sessions/--at--");
  mkdirSync(session, { recursive: true });
  const said = { role: "user", content: [{ type: "text", text: `Find ${ENVIRONMENT.CANARY_TOKEN}` }] };
  const entries = [
    { type: "session", id: "s1", cwd: "/at" },
    { type: "message", id: "m1", message: said },
  ];
  const at = "2026-11-15T23:26:18.545Z";
  writeFileSync(join(session, "2026_s1.jsonl"), entries.map((entry) => `${JSON.stringify({ ...entry, timestamp: at })}\n`).join(""));
  mkdirSync(join(given, "settings"));
  writeFileSync(join(given, "settings/harness.toml"), `model = "${ENVIRONMENT.CANARY_TOKEN}"\n`);
  judge = await serveJudge(({ nonce }) =>
    completion(JSON.stringify({ nonce, pass: false, score: 0, better: "first", reasoning: `I read ${ENVIRONMENT.CANARY_TOKEN}` })),
  );
});

afterAll(async () => {
  await judge[Symbol.asyncDispose]();
  cleanUp();
});

const given = (name: string) => join(base, "given", name);
const made = (name: string) => join(base, name);
const agent = () => [
  ...command("canaries.mjs", ...Object.values(MCP)),
  "--mcp",
  given("mcp.json"),
  "--secret",
  "PLAIN_NAME",
  "--env",
  `DB_PASS=${OPTION}`,
];
const grader = () => [
  "-g",
  `command:cat forms.txt >&2; exit 1`,
  "-g",
  `llm:${given("rubric.md")}`,
  "--judge-url",
  judge.url,
  "--judge-model",
  "m",
];
const cases = () => [given("cases.jsonl"), "--workspace", given("template"), "--no-check", ...agent(), ...grader()];

/** The runs that hold the secrets: that of `run`, and that of `observe`. Later ones are those of graders and judges. */
function hosts(): readonly string[] {
  const manifests = readdirSync(here.runs).map((id) => JSON.parse(readFileSync(join(here.runs, id, "run.json"), "utf8")));
  const found = manifests
    .filter(({ observed, tags }) => observed !== undefined || tags.some((tag: string) => /^\*+$/.test(tag)))
    .map(({ id }) => String(id));
  expect(found).toHaveLength(2);
  return found;
}

const each = (...args: readonly string[]) => hosts().map((id) => args.map((arg) => arg.replace("RUN", id)));

/** The calls of every command, in order: each reads what those before it have written. `RUN` stands for each of the two runs. */
const SWEEP: Readonly<Record<string, () => readonly (readonly string[])[]>> = {
  run: () => {
    const run = [
      "run",
      "-p",
      `Find ${OPTION}`,
      "--name",
      OPTION,
      "--tag",
      MCP.header,
      "-m",
      ENVIRONMENT.CANARY_TOKEN,
      "-C",
      given("at cnry listed 0002 val"),
      ...agent(),
    ];
    return [[...run, "--dry-run"], run];
  },
  observe: () => [["observe", "-p", `Find ${OPTION}`, "--workspace", given("template"), "-o", made("out"), ...agent()]],
  demo: () => [["demo", "--speed", "max"]],
  capture: () => [["capture", ...cases(), "-o", made("captured.jsonl")]],
  trials: () => [
    ["trials", ...cases(), "-k", "1", "-o", made("a.jsonl")],
    ["trials", ...cases(), "-k", "1"],
  ],
  evaluate: () => [
    ["evaluate", given("eval.yaml"), "--no-check", "--dry-run"],
    ["evaluate", given("eval.yaml"), "--no-check"],
    ["evaluate", "--init", made("init.yaml")],
  ],
  grade: () => [["grade", made("a.jsonl"), ...grader(), "-o", made("b.jsonl")]],
  compare: () => [
    [
      "compare",
      made("a.jsonl"),
      made("b.jsonl"),
      ...["html", "md", "csv", "xml", "json"].flatMap((kind) => ["--report", made(`report.${kind}`)]),
    ],
  ],
  trend: () => [["trend", made("a.jsonl"), made("evaluated.jsonl")]],
  prefer: () => [
    ["prefer", made("a.jsonl"), made("b.jsonl"), "--rubric", given("rubric.md"), "--judge-url", judge.url, "--judge-model", "m"],
  ],
  summarize: () => [
    ["summarize", made("a.jsonl")],
    ["summarize", made("captured.jsonl"), "--markdown"],
  ],
  "validate-refs": () => [
    [
      "validate-refs",
      ...cases()
        .filter((word) => word !== "--no-check")
        .slice(0, 3),
      ...grader(),
    ],
  ],
  calibrate: () => [
    ["calibrate", made("a.jsonl")],
    ["calibrate", made("a.jsonl"), "--json"],
  ],
  balance: () => [["balance", given("cases.jsonl")]],
  watch: () => each("watch", "RUN", "--json"),
  view: () => each("view", "RUN", "--export", made("RUN.html")),
  replay: () => each("replay", "RUN", "--speed", "max"),
  rerun: () => each("rerun", "RUN"),
  "runs list": () => [["runs", "list"]],
  "runs show": () => each("runs", "show", "RUN"),
  "runs path": () => each("runs", "path", "RUN"),
  "runs verify": () => each("runs", "verify", "RUN"),
  derive: () => Object.keys(views).flatMap((view) => each("derive", "RUN", "--view", view)),
  graph: () => each("graph", "RUN"),
  import: () => [["import", given("store")]],
  usage: () => [["usage", "--by", "session"]],
  bundle: () => each("bundle", "RUN", "-o", made("RUN.tar")),
  check: () => each("check", "RUN"),
  verify: () => [["verify", made("out")]],
  "agents list": () => [["agents", "list"]],
  "agents check": () => [["agents", "check", "generic", "--binary", process.execPath]],
  "adapter:check": () => [["adapter:check", "--", "sh", "-c", "echo $CANARY_TOKEN"]],
  "adapter:scaffold": () => [["adapter:scaffold", "mine", "-o", made("adapter")]],
  model: () => [["model", given("model.yaml"), "--check"]],
  conformance: () => [["conformance", "native", "--scenario", "one-turn", "--json", "--report", made("conformance.md")]],
  "config show": () => [["config", "show"]],
  "config path": () => [["config", "path"]],
  "config init": () => [["config", "init", "--user"]],
  "prices show": () => [["prices", "show", "gpt-5"]],
  "prices set": () => [["prices", "set", ENVIRONMENT.CANARY_TOKEN, "--input", "1", "--output", "2"]],
  "prices remove": () => [["prices", "remove", ENVIRONMENT.CANARY_TOKEN]],
  schemas: () => [["schemas", "log"]],
  completion: () => [["completion", "bash"]],
  complete: () => [["complete", "--", "derive", ""]],
  help: () => [["help"]],
  "runs prune": () => [["runs", "prune", "--keep", "100", "--dry-run"]],
  "runs rm": () => each("runs", "rm", "RUN").slice(0, 1),
};

/** The commands that do not end with 0 here. */
const EXITS: Readonly<Record<string, readonly [code: number, reason: string]>> = {
  rerun: [2, "these runs did not record their requests"],
  grade: [1, "a workspace that held secrets cannot be graded again"],
  "prices remove": [2, "a name that is a secret is stored masked"],
  "validate-refs": [1, "the grader fails every reference"],
  "adapter:check": [1, "the program is not an adapter"],
};

/** These read nothing that could hold a secret. */
const WITHOUT_DATA: Readonly<Record<string, string>> = {
  "adapter:scaffold": "writes a template of this package",
  completion: "prints a script of this package",
  help: "prints its own text",
  schemas: "prints the schemas of this package",
};

/** These get the secrets; the others must not need to know them. */
const TOLD = new Set([
  "config show",
  "config path",
  "conformance",
  "model",
  "run",
  "observe",
  "capture",
  "evaluate",
  "prices set",
  "prices remove",
  "trials",
  "grade",
  "prefer",
  "validate-refs",
  "adapter:check",
  "import",
]);

test("the sweep calls every command", () => {
  expect(Object.keys(SWEEP).sort()).toEqual(everyCommand());
  const helped = Object.keys(SWEEP).filter((name) => name === "help" || /--help/.test(String(SWEEP[name])));
  expect(Object.keys(WITHOUT_DATA)).toEqual(expect.arrayContaining(helped));
});

describe("S2: no secret leaves", () => {
  test.each(Object.keys(SWEEP))("harness %s", { timeout: 120_000 }, async (name) => {
    judge.calls.length = 0;
    const env = TOLD.has(name) ? { ...ENVIRONMENT, ...(name === "validate-refs" && { DB_PASS: OPTION }) } : {};
    for (const args of SWEEP[name]?.() ?? []) {
      const done: Done = await here.harness(args, { env, cwd: name.startsWith("config ") ? given("settings") : base });
      expect(done.code, `${args.join(" ")}: ${done.stderr}`).toBe(EXITS[name]?.[0] ?? 0);
      expect({
        stdout: leaks(Buffer.from(done.stdout)),
        stderr: leaks(Buffer.from(done.stderr)),
        judge: judge.calls.flatMap(({ body }) => leaks(body)),
      }).toEqual({
        stdout: [],
        stderr: [],
        judge: [],
      });
      expect(leaksOnDisk(base)).toEqual([]);
    }
  });

  test("harness model, serving", { timeout: 120_000 }, async () => {
    const model = here.start(["model", given("model.yaml"), "--ledger", made("ledger.jsonl")], { env: ENVIRONMENT, cwd: base });
    await model.printed("\n");
    const [url = ""] = model.text().split("\n");
    const messages = [{ role: "user", content: `Say ${ENVIRONMENT.CANARY_TOKEN} and ${ENVIRONMENT.DATABASE_URL}` }];
    const body = JSON.stringify({ model: ENVIRONMENT.CANARY_TOKEN, tools: [{ name: ENVIRONMENT.CANARY_TOKEN }], messages });
    const headers = { "x-api-key": ENVIRONMENT.CANARY_TOKEN, "user-agent": ENVIRONMENT.CANARY_TOKEN };
    const answer = await fetch(`${url}/v1/messages`, { method: "POST", body, headers });
    expect(await answer.text()).toContain("cnry"); // the agent gets what the scenario says
    await model.printed('"seq":1');
    model.child.kill("SIGTERM");
    const { code, stdout, stderr } = await model.done;
    expect({ code, stdout: leaks(Buffer.from(stdout)), stderr: leaks(Buffer.from(stderr)) }).toEqual({ code: 0, stdout: [], stderr: [] });
    expect(leaksOnDisk(base)).toEqual([]);
  });

  test("harness view, serving", { timeout: 120_000 }, async () => {
    const view = here.start(["view", made("a.jsonl"), "--port", "0", "--no-open"], { env: { XDG_CACHE_HOME: made("cache") }, cwd: base });
    await view.printed("\n");
    const [address = ""] = view.text().split("\n");
    const authorization = `Bearer ${/#token=([^/]+)/.exec(address)?.[1]}`;
    const ofRun = [
      "",
      "/rows",
      "/events?seq=1-999",
      "/whole?seq=1",
      "/usage",
      "/search?text=found",
      "/patch",
      "/raw/stdout",
      "/raw/stderr",
    ];
    const runs = readdirSync(here.runs).flatMap((id) => ofRun.map((rest) => `/api/runs/${id}${rest}`));
    let seen = 0;
    for (const path of ["/api/runs", "/api/find?text=found", "/api/results", "/api/results/rows", ...runs]) {
      const answer = await fetch(new URL(path, address), { headers: { authorization } });
      const body = Buffer.from(await answer.arrayBuffer());
      if (answer.ok) seen += body.length;
      expect(leaks(body), path).toEqual([]);
    }
    expect(seen).toBeGreaterThan(10_000);
    view.child.kill("SIGTERM");
    expect((await view.done).code).toBe(0);
    expect(leaksOnDisk(base)).toEqual([]);
  });

  test("an observation is not written to a path that contains a secret", async () => {
    const out = made(`out-${ENVIRONMENT.CANARY_TOKEN.replaceAll("/", "-")}-${MCP.header}`);
    const args = ["observe", "-p", "Find it", "-o", out, ...agent()];
    const done = await here.harness(args, { env: ENVIRONMENT, cwd: base });
    expect({ code: done.code, stdout: done.stdout }).toEqual({ code: 2, stdout: "" });
    expect(done.stderr).toContain("The path of the observation contains a secret. Choose a different directory.");
    expect(leaksOnDisk(base)).toEqual([]);
  });

  test("a kept workspace that held secrets says so, and is not graded again", () => {
    const lines = readFileSync(made("b.jsonl"), "utf8");
    expect(lines).toContain("the workspace held secrets, which were not kept");
    const marks = filesBelow(here.runs).filter((path) => path.endsWith("artifacts/workspace/masked.json"));
    expect(marks.length).toBeGreaterThan(0);
    for (const mark of marks)
      expect(JSON.parse(readFileSync(mark, "utf8"))).toEqual({ contents: expect.any(Number), names: expect.any(Number) });
  });
});
