// `npm test`: installs, checks, builds and tests, also on a fresh clone. Arguments go to vitest. `npm run test:full` runs everything
// that is sampled otherwise (test/support/full.ts).
import { ensureInstalled, missingPrograms, program, step, together } from "./setup.mjs";

ensureInstalled();
const check = ["Checking format, lint and types (npm run check)", process.execPath, ["scripts/check.mjs"]];
const browser = missingPrograms();
if (browser.length === 0) step(...check);
else await together([...browser, check]);

const args = process.argv.slice(2);
if (args.includes("--full")) process.env.HARNESS_TEST_FULL = "1";
const rest = args.filter((arg) => arg !== "--full");
step("Testing (vitest)", ...program("vitest", ["run", ...rest]));
