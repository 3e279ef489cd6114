// `npm run rerun -- claude --core`: records scenarios of the corpus with the real CLIs, sealed, and runs each again with its recorded model
// (docs/guides/rerun.md). Without arguments: every scenario, once, with the agents of that page.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

const AGENTS = ["claude", "codex", "goose", "pi", "opencode", "gemini", "native"];

ensureInstalled();
ensureBuilt();
const args = process.argv.slice(2);
const named = args.some((each, i) => !each.startsWith("-") && !["--scenario", "--jobs", "--rerun"].includes(args[i - 1]));
const all = [...(named ? [] : AGENTS), ...(args.includes("--rerun") ? [] : ["--rerun", "1"]), ...args];
const { status } = spawnSync(process.execPath, [join(root, "dist/cli/harness.js"), "conformance", "--install", ...all], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
