// `npm run pictures`: the two pictures of the README, from one real run of `harness demo`: docs/pictures/terminal.svg, what the terminal
// showed, and docs/pictures/page.png, the page with that run. Needs `script` (util-linux) and Chromium.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pagePicture } from "./pictures/page-picture.mjs";
import { recordTerminal } from "./pictures/record-terminal.mjs";
import { terminalSvg } from "./pictures/terminal-svg.mjs";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const folder = join(root, "docs/pictures");
mkdirSync(folder, { recursive: true });
const data = mkdtempSync(join(tmpdir(), "harness-pictures-"));
try {
  const cli = join(root, "dist/cli/harness.js");
  const env = { ...process.env, XDG_DATA_HOME: data, XDG_CONFIG_HOME: data, XDG_CACHE_HOME: data, NO_COLOR: undefined };
  const rows = 26;
  const recording = recordTerminal(cli, ["demo"], { columns: 80, rows, env });
  report("terminal.svg", terminalSvg(recording, { command: "harness demo", rows, until: /\d records\b/ }));
  report("page.png", await pagePicture(cli, env));
} finally {
  rmSync(data, { recursive: true, force: true });
}

function report(name, contents) {
  const file = join(folder, name);
  writeFileSync(file, contents);
  console.error(`docs/pictures/${name}: ${Math.round(statSync(file).size / 1024)} KB`);
}
