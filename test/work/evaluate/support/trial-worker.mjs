// Runs one trial: its spec as JSON on standard input, its result as JSON on standard output. It knows nothing else about the evaluation.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../../..");
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const { executeTrial, openTrialHost } = await import(join(ROOT, exports["./evaluate"].default));
const host = openTrialHost();
try {
  console.log(JSON.stringify(await executeTrial(JSON.parse(readFileSync(0, "utf8")), host)));
} finally {
  host.close();
}
