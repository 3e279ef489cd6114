// `npm run goldens`: writes the output of every view for every fixture. Read the diff before you commit it.
// `npm run goldens -- --show <fixture> <view>`: prints the output behind a hash in fixtures/<agent>/goldens.txt.
import { join } from "node:path";
import { ensureInstalled, root } from "./setup.mjs";

const USAGE = "npm run goldens -- --show claude/err-401 stream";

const args = process.argv.slice(2);
if (args.length > 0 && args[0] !== "--show") fail(`The only option is --show: ${USAGE}`);
if (args.length !== 0 && args.length !== 3) fail(`--show takes a fixture and a view: ${USAGE}`);
ensureInstalled();
const { bundled } = await import("./bundled.mjs"); // needs the installed packages
const { showGolden, writeGoldens } = await bundled("test/support", ["goldens.ts"]);
const fixtures = join(root, "fixtures");
if (args.length === 3) show(args[1], args[2]);
else write();

function show(fixture, view) {
  const { text, problem } = showGolden(fixtures, fixture, view);
  if (problem !== undefined) fail(problem);
  process.stdout.on("error", () => {}); // a reader such as `head` may leave early
  process.stdout.write(text);
}

function write() {
  const unread = writeGoldens(fixtures);
  if (unread.length === 0) return;
  console.error(`goldens: no test reads ${unread.map((path) => `fixtures/${path}`).join(", ")}; remove them.`);
  process.exitCode = 1;
}

function fail(problem) {
  console.error(`goldens: ${problem}`);
  process.exit(2);
}
