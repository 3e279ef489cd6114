// `npm test`: everything that must hold, from a fresh clone, with no step by hand. Arguments go to vitest.
import { ensureBuilt, ensureChromium, ensureInstalled, step, tool } from "./setup.mjs";

ensureInstalled();
step("Checking format, lint and types (npm run check)", process.execPath, ["scripts/check.mjs"]);
ensureBuilt();
ensureChromium();
tool("Testing (vitest)", "vitest", ["run", ...process.argv.slice(2)]);
