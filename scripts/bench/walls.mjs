// The speed of a trial inside walls, compared with the same trial without any: the real Claude Code on the scenario `commands`.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const LEVELS = ["none", "process", "files", "sealed"];

/** The best round of each level counts: at least one of them runs undisturbed. Null if Claude Code is not installed. */
export async function measureWalls({ dist, root, temp, runs, say }) {
  const binary = claudeBinary();
  if (binary === undefined) {
    say("walls: Claude Code is not here; npm run conformance -- claude --core installs it");
    return null;
  }
  const { capture } = await import(pathToFileURL(join(dist, "evaluate.js")).href);
  const model = await served(dist, join(root, "scenarios/commands.yaml"));
  const best = new Map();
  try {
    for (let round = 0; round <= runs; round++) {
      say(`walls ${round}/${runs}`);
      for (const level of LEVELS) {
        const ms = await timeOf(capture, level, { binary, url: model.url, temp });
        if (round > 0) best.set(level, Math.min(best.get(level) ?? Infinity, ms)); // the first round fills the caches
      }
    }
  } finally {
    model.stop();
  }
  for (const [level, ms] of best) say(`walls: a trial at ${level} takes ${Math.round(ms)} ms`);
  return new Map(LEVELS.slice(1).map((level) => [level, best.get("none") / best.get(level)]));
}

async function timeOf(capture, level, { binary, url, temp }) {
  const env = {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
  };
  const agents = [{ agent: "claude", binary, permissions: "full", env, isolate: level }];
  const started = performance.now();
  const { results } = await capture({
    cases: [{ id: "commands", input: "Run two commands." }],
    agents,
    dataDirectory: join(temp, "walls"),
  });
  const ms = performance.now() - started;
  const [result] = results;
  if (result?.status !== "completed" || result.isolation?.level !== level)
    throw new Error(`the trial at ${level} ended ${result?.status} at ${result?.isolation?.level}: ${result?.errors?.join("; ")}`);
  return ms;
}

/** The pinned one that the conformance tests have installed. */
function claudeBinary() {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "harness/agents");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith("claude-")) : [];
  return names
    .flatMap((name) =>
      ["", "-musl"].map((libc) =>
        join(folder, name, `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}${libc}/claude`),
      ),
    )
    .find((file) => existsSync(file));
}

async function served(dist, scenario) {
  const child = spawn(process.execPath, [join(dist, "cli/harness.js"), "model", scenario], { stdio: ["ignore", "pipe", "ignore"] });
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
      const [, address] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.on("exit", () => reject(new Error("the scripted model did not start")));
  });
  return { url, stop: () => child.kill() };
}
