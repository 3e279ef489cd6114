// `npm run permissions -- claude codex --level read-only`: lets real CLIs on the scripted model try six effects at each level of
// permissions, and writes the matrix and docs/reference/permissions.md. Results of earlier parts are kept. With --check it runs nothing, and
// fails if the page is not up to date or the matrix has a problem.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundled } from "./bundled.mjs";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

const RESULTS = join(root, "src/work/conformance/permission-matrix.json");
const PAGE = join(root, "docs/reference/permissions.md");
const { findCli, levels, matrixProblems, merged, permissionsPage, pins, tryLevel, whyNotHere } = await bundled("src/work/conformance", [
  "agents/index.ts",
  "find-cli.ts",
  "permissions/index.ts",
]);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { level: { type: "string", multiple: true }, check: { type: "boolean" } },
});
const here = [...pins].filter(([id, pin]) => id !== "rlm" && whyNotHere(pin) === undefined).map(([id]) => id);
const [agents, chosen] = [positionals.length > 0 ? positionals : here, values.level ?? levels];
const unknown = [...agents.filter((id) => !pins.has(id)), ...chosen.filter((level) => !levels.includes(level))][0];
let rows = JSON.parse(readFileSync(RESULTS, "utf8"));

if (unknown !== undefined) {
  console.error(`${unknown} is not an agent or a level. Agents: ${here.join(", ")}. Levels: ${levels.join(", ")}.`);
  process.exitCode = 2;
} else {
  if (!values.check) await run();
  else if (readFileSync(PAGE, "utf8") !== permissionsPage(readFileSync(PAGE, "utf8"), rows))
    fail("docs/reference/permissions.md is not up to date. Run: npm run permissions");
  for (const problem of matrixProblems(rows)) fail(problem);
}

/** One run at a time: agents compete for the processor otherwise. */
async function run() {
  ensureInstalled();
  ensureBuilt();
  const self = { cli: join(root, "dist/cli/harness.js"), root, mcpServer: join(root, "dist/cli/mcp-server.js") };
  const signal = new AbortController().signal;
  for (const id of agents) {
    const pin = pins.get(id);
    const cli = await findCli(id, pin, { install: true, env: process.env, say: (sentence) => console.error(sentence) });
    for (const level of toolsOf(id) ? chosen : ["full", ...chosen.filter((each) => each !== "full")]) {
      const began = performance.now();
      try {
        const row = await tryLevel({ id, pin, cli, level, tools: level === "full" ? [] : toolsOf(id), self, signal });
        rows = merged(JSON.parse(readFileSync(RESULTS, "utf8")), [row], [...pins.keys()]);
        write();
        console.log(`${Math.round((performance.now() - began) / 1000)} s  ${JSON.stringify(row)}`);
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    }
  }
}

/** The tools that an agent offers at `full`. The other levels need them. */
function toolsOf(id) {
  return rows.find(({ agent, level }) => agent === id && level === "full")?.tools;
}

function write() {
  writeFileSync(RESULTS, `[\n${rows.map((row) => ` ${JSON.stringify(row)}`).join(",\n")}\n]\n`);
  writeFileSync(PAGE, permissionsPage(readFileSync(PAGE, "utf8"), rows));
}

function fail(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}
