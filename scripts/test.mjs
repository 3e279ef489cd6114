// `npm test`: everything that must hold, from a fresh clone, with no step by hand. Arguments go to vitest. `npm run test:full` does
// whole what is sampled otherwise (test/support/full.ts).
import { ensureBuilt, ensureChromium, ensureInstalled, step, tool } from "./setup.mjs";

ensureInstalled();
step("Checking format, lint and types (npm run check)", process.execPath, ["scripts/check.mjs"]);
ensureBuilt();
ensureChromium();
const words = process.argv.slice(2);
if (words.includes("--full")) process.env.HARNESS_TEST_FULL = "1";
const rest = words.filter((word) => word !== "--full");
tool("Testing (vitest)", "vitest", ["run", ...rest]);
