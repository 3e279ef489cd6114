import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Truth } from "../../../src/pure/views/truth/schema.ts";
import { claude } from "../../../src/work/conformance/agents/claude.ts";
import { codex } from "../../../src/work/conformance/agents/codex.ts";
import { folderOf, isInstalled } from "../../../src/work/conformance/install.ts";
import type { Pin } from "../../../src/work/conformance/pin.ts";
import { loadScenarios } from "../../../src/work/model/load-scenarios.ts";
import { serveModel } from "../../../src/work/model/serve-model.ts";
import { directory, harness } from "../../support/harness.ts";

/** The workspace: a wrong sum, a test that shows it, and a helper that keeps working after its caller has ended. */
export const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "sum", "version": "1.0.0", "scripts": { "test": "node --test test.js" } }\n',
  "sum.js": "exports.sum = (a, b) => a - b;\n",
  "test.js": "require('node:test').test('adds', () => require('node:assert').equal(require('./sum.js').sum(1, 2), 3));\n",
  "helper.sh": "(sleep 2.5; echo '// no one saw me' >> hidden.js) >/dev/null 2>&1 &\n",
  "hidden.js": "exports.hidden = 1;\n",
};

const pins: Readonly<Record<string, Pin>> = { claude, codex };

/** The real CLIs in the cache. */
export const installed = Object.entries(pins).flatMap(([id, pin]) => {
  const folder = folderOf(id, pin, process.env);
  const binary = isInstalled(folder, pin) ? pin.binary(folder) : undefined;
  return binary === undefined ? [] : [{ id, pin, binary }];
});

export interface Observed {
  readonly code: number | null;
  readonly stderr: string;
  readonly truth: Truth;
  /** The command lines that the wrappers recorded. */
  readonly seen: readonly string[];
}

export interface Setting {
  /** The scenario's file. */
  readonly file: string;
  readonly makeWorkspace: (to: string) => void;
}

/** Observes a real CLI with a scenario, by default of this folder, and collects the results. */
export async function observed(
  { id, pin, binary }: (typeof installed)[number],
  scenario: string,
  options: readonly string[] = ["--permissions", "full"],
  { file, makeWorkspace: make }: Setting = { file: join(import.meta.dirname, "scenarios", `${scenario}.yaml`), makeWorkspace },
): Promise<Observed> {
  const folder = directory();
  mkdirSync(join(folder, "workspace"));
  make(join(folder, "workspace"));
  const home = join(folder, "home");
  mkdirSync(home);
  const model = await serveModel({
    scenarios: loadScenarios([file]),
    port: 0,
    onEntry: () => {},
  });
  try {
    mkdirSync(join(home, "codex"));
    writeFileSync(join(home, "codex/config.toml"), codexSettings(model.url));
    const env = { HOME: home, XDG_DATA_HOME: join(folder, "data"), XDG_CONFIG_HOME: join(home, ".config") };
    const given = Object.entries({ ...pin.environment(model.url), HOME: home, CODEX_HOME: join(home, "codex") }).flatMap(
      ([name, value]) => ["--env", `${name}=${value}`],
    );
    const args = ["--agent", id, "--binary", binary, "--prompt", `Do it. [[${scenario}]]`, "--workspace", join(folder, "workspace")];
    const chosen = pin.model === undefined ? [] : ["--model", pin.model];
    const wrapped = ["--wrap", "git,npm,node,sh,bash,ls,wc", "--out", join(folder, "out"), "--timeout", "3m"];
    const call = ["observe", ...args, ...chosen, ...wrapped, ...options, ...given];
    const { code, stderr } = await harness(call, { env });
    if (code === 2) throw new Error(stderr);
    const { stdout } = await harness(["derive", "last", "--view", "truth"], { env });
    return { code, stderr, truth: JSON.parse(stdout) as Truth, seen: seenIn(join(folder, "out/artifacts/command_logs.jsonl")) };
  } finally {
    await model.close();
  }
}

function makeWorkspace(to: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), text);
  }
  for (const words of [
    ["init", "-q", "-b", "main"],
    ["add", "."],
    ["-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-qm", "Begin"],
  ])
    execFileSync("git", ["-C", to, ...words]);
}

function seenIn(log: string): readonly string[] {
  const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  return lines.map((line) => (JSON.parse(line) as { readonly argv: readonly string[] }).argv.join(" "));
}

/** Connects Codex to the scripted model. */
function codexSettings(url: string): string {
  const provider = { name: "scripted", base_url: `${url}/v1`, wire_api: "responses", env_key: "SCRIPTED_API_KEY" };
  const settings = Object.entries(provider).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return ['model = "gpt-5.5"', 'model_provider = "scripted"', "[model_providers.scripted]", ...settings, ""].join("\n");
}
