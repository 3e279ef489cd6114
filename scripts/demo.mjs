// `npm run demo`: one recording, three views of it. Needs only Node; installs and builds on a fresh clone.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

const RECORDING = "fixtures/claude/full/raw.jsonl";

ensureInstalled();
ensureBuilt();

say(`
This is a recording, not a live run: ${RECORDING} holds what the real Claude Code CLI 2.1.325
printed, byte for byte, while a scripted model told it what to do. Three views of those bytes:`);

show("What the agent did (activity, specification 000)", ["--view", "activity"]);
say(`
"unknown" repeats, in the agent's own words, what that specification has no word for: here progress lines and malformed calls.`);
show("What a consumer of the stream sees (stream, specification 001)", ["--view", "stream"]);
show("How the run went (result, one object)", ["--view", "result", "--exit-code", "0"]);

say(`
In a pipe the same commands print one JSON object per line:

  node dist/cli/harness.js derive ${RECORDING} --agent claude --view stream | head -3

Next: README.md, or  node dist/cli/harness.js --help`);

function show(title, options) {
  const args = ["derive", RECORDING, "--agent", "claude", ...options];
  say(`\n━━ ${title}\n   harness ${args.join(" ")}\n`);
  const cli = join(root, "dist/cli/harness.js");
  const { status } = spawnSync(process.execPath, [cli, ...args, "--pretty"], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

function say(text) {
  console.log(text);
}
