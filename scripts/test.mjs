// `npm test`: everything that must hold, from a fresh clone, with no step by hand. Arguments go to vitest. `npm run test:full` does
// whole what is sampled otherwise (test/support/full.ts).
import { ensureInstalled, missingChromium, program, step, together } from "./setup.mjs";

ensureInstalled();
const check = ["Checking format, lint and types (npm run check)", process.execPath, ["scripts/check.mjs"]];
const browser = missingChromium();
if (browser.length === 0) step(...check);
else await together([...browser, check]);

const words = process.argv.slice(2);
if (words.includes("--full")) process.env.HARNESS_TEST_FULL = "1";
const rest = words.filter((word) => word !== "--full");
step("Testing (vitest)", ...program("vitest", ["run", ...rest]));
