// The command lines that specification 001 shows to its readers: three lines of jq and a Python script, verbatim except for the
// agent's name. They run the real CLI and find `harness` and the agent on PATH, as a reader's shell would.
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseJsonLines } from "../../pure/base/index.ts";
import type { RunResult } from "../../pure/views/index.ts";
import type { Cli } from "./find-cli.ts";
import type { Pin } from "./pin.ts";
import { furnish, type Sandbox, sandbox } from "./sandbox.ts";
import { scriptedModel } from "./scripted-model.ts";
import type { Self } from "./self.ts";
import { type Settled, settled } from "./settled.ts";

const PYTHON = `import json
import subprocess
proc = subprocess.Popen(
    ["harness", "run", "--agent", "claude", "--prompt", "hello"],
    stdout=subprocess.PIPE,
    text=True,
)
for line in proc.stdout:
    event = json.loads(line)
    if event["type"] == "TextDelta":
        print(event["text"], end="")
`;

import { scripted, writeFile } from "../../host/sink/index.ts";

interface Consumer {
  readonly needs: string;
  readonly shell?: string;
  /** Whether the output contains what the agent said. */
  readonly says: (out: string, text: string) => boolean;
}

export interface Consumed {
  readonly what: string;
  readonly problem?: string;
}

const CONSUMERS: readonly Consumer[] = [
  { needs: "jq", shell: 'harness run --agent claude --prompt "hello" | jq .', says: (out, text) => out.includes(JSON.stringify(text)) },
  {
    needs: "jq",
    shell: `harness run --agent claude --prompt "hello" | jq 'select(.type == "Message")'`,
    says: (out, text) => out.includes(JSON.stringify(text)) && !out.includes("SessionStart"),
  },
  {
    needs: "jq",
    shell: `harness run --agent claude --prompt "hello" | jq -r 'select(.type == "TextDelta") | .text'`,
    says: (out, text) => out.replaceAll("\n", "") === text.replaceAll("\n", ""),
  },
  { needs: "python3", says: (out, text) => out === text },
];

export async function consumers(id: string, pin: Pin, { binary, path }: Cli, self: Self): Promise<readonly Consumed[]> {
  const place = sandbox({ "README.md": "A workspace.\n" }, path);
  const model = await scriptedModel(join(self.root, "scenarios/one-turn.yaml"));
  const agent = settled(pin, model.url);
  furnish(place.home, agent.files);
  const bin = join(place.folder, "bin");
  mkdirSync(bin);
  symlinkSync(self.cli, join(bin, "harness"));
  const name = agent.agent ?? id;
  symlinkSync(binary, join(bin, agent.program ?? name));
  const settings = join(place.home, ".config/harness");
  mkdirSync(settings, { recursive: true });
  writeFile(join(settings, "harness.toml"), scripted(settingsOf(name, agent)));
  const env = { ...place.environment, ...agent.environment, PATH: `${bin}:${place.environment["PATH"]}` };
  try {
    const text = await textOf(env, place, name);
    const consumed: Consumed[] = [];
    for (const consumer of CONSUMERS) consumed.push(await consume(consumer, { id: name, env, cwd: place.workspace, text }));
    return consumed;
  } finally {
    await model.close();
    place.remove();
  }
}

interface Circumstances {
  readonly id: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly text: string;
}

async function consume({ needs, shell, says }: Consumer, { id, env, cwd, text }: Circumstances): Promise<Consumed> {
  const as = (text: string) => text.replaceAll("claude", id);
  const what = shell === undefined ? "the Python script" : as(shell);
  if ((await output(needs, ["--version"], env, cwd)).code !== 0) return { what, problem: `not tried: ${needs} is not installed` };
  const [program, args] = shell === undefined ? ["python3", ["-c", as(PYTHON)]] : ["sh", ["-c", as(shell)]];
  const { code, stdout, stderr } = await output(program, args, env, cwd);
  if (code !== 0) return { what, problem: `exit code ${code}: ${stderr.trim()}` };
  return { what, ...(says(stdout, text) ? {} : { problem: `it printed ${JSON.stringify(stdout.slice(0, 300))}` }) };
}

/** The agent's last message in this scenario, derived by us. */
async function textOf(env: NodeJS.ProcessEnv, { workspace }: Sandbox, id: string): Promise<string> {
  const { stdout } = await output("harness", ["run", "--agent", id, "--prompt", "hello", "--view", "result"], env, workspace);
  return parseJsonLines<RunResult>(stdout)[0]?.output ?? "";
}

interface Output {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Asynchronous, because this same process serves the model that the agent talks to. */
function output(program: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Output> {
  return new Promise((resolve) => {
    execFile(program, args, { env, cwd }, (error, stdout, stderr) => resolve({ code: error === null ? 0 : error.code, stdout, stderr }));
  });
}

function settingsOf(id: string, { args, model }: Settled): string {
  const quoted = args.map((arg) => JSON.stringify(arg));
  return [`[agents.${id}]`, `args = [${quoted.join(", ")}]`, ...(model === undefined ? [] : [`model = "${model}"`]), ""].join("\n");
}
