// The command lines that specification 001 shows to its readers, word for word but for the agent's name, with the real CLI
// behind them: three lines of jq and a script in Python. `harness` and the agent are found on PATH, as a reader's would be.
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup.mjs";
import { cli, jsonLines } from "./cli.mjs";
import { furnish, sandbox } from "./sandbox.mjs";
import { scriptedModel } from "./scripted-model.mjs";
import { settled } from "./settled.mjs";

const SCENARIO = join(root, "scenarios/one-turn.yaml");

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

const CONSUMERS = [
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
  { needs: "python3", python: PYTHON, says: (out, text) => out === text },
];

/** One line per consumer: what it was, and what was wrong, if anything was. */
export async function consumers(id, pinned, { binary, path }) {
  const place = sandbox({ "README.md": "A workspace.\n" }, path);
  const model = await scriptedModel(SCENARIO);
  const agent = settled(pinned, model.url);
  furnish(place.home, agent.files);
  const bin = join(place.folder, "bin");
  mkdirSync(bin);
  symlinkSync(cli, join(bin, "harness"));
  symlinkSync(binary, join(bin, agent.program ?? agent.agent ?? id));
  const settings = join(place.environment.XDG_CONFIG_HOME, "harness");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "harness.toml"), settingsOf(agent.agent ?? id, agent));
  const env = { ...place.environment, ...agent.environment, PATH: `${bin}:${place.environment.PATH}` };
  try {
    return CONSUMERS.map((consumer) =>
      consume(consumer, { id: agent.agent ?? id, env, cwd: place.workspace, text: textOf(env, place, agent.agent ?? id) }),
    );
  } finally {
    await model.close();
    place.remove();
  }
}

function consume({ needs, shell, python, says }, { id, env, cwd, text }) {
  const what = shell ?? "the Python script";
  if (spawnSync(needs, ["--version"]).error !== undefined) return { what, problem: `not tried: ${needs} is not installed` };
  const as = (words) => words.replaceAll("claude", id);
  const [program, args] = shell === undefined ? ["python3", ["-c", as(python)]] : ["sh", ["-c", as(shell)]];
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) return { what: as(what), problem: `exit code ${status}: ${stderr.trim()}` };
  return { what: as(what), ...(says(stdout, text) ? {} : { problem: `it printed ${JSON.stringify(stdout.slice(0, 300))}` }) };
}

/** What the agent says in this scenario: its last message, in our own words. */
function textOf(env, { workspace }, id) {
  const { stdout } = spawnSync("harness", ["run", "--agent", id, "--prompt", "hello", "--view", "result"], {
    cwd: workspace,
    env,
    encoding: "utf8",
  });
  return jsonLines(stdout)[0]?.output ?? "";
}

function settingsOf(id, agent) {
  const args = agent.args.map((word) => JSON.stringify(word));
  return [`[agents.${id}]`, `args = [${args.join(", ")}]`, ...(agent.model === undefined ? [] : [`model = "${agent.model}"`]), ""].join(
    "\n",
  );
}
