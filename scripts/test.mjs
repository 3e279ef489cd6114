// `npm test`: installs, checks, builds and tests, also on a fresh clone. Arguments go to vitest. `npm run test:full` runs everything
// that is sampled otherwise (test/support/full.ts).
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ensureInstalled, missingPrograms, program, root, step, together } from "./setup.mjs";

ensureInstalled();
const check = ["Checking format, lint and types (npm run check)", process.execPath, ["scripts/check.mjs"]];
const browser = missingPrograms();
if (browser.length === 0) step(...check);
else await together([...browser, check]);

const args = process.argv.slice(2);
if (args.includes("--full")) process.env.HARNESS_TEST_FULL = "1";
const rest = args.filter((arg) => arg !== "--full");
const scratch = mkdtempSync(join(tmpdir(), "harness-tests-"));
const failed = tested(rest);
if (failed.length > 0) againAlone(failed);
rmSync(scratch, { recursive: true, force: true });

/** Runs the tests and returns those that failed. Exits if something else went wrong, or with more than three files of failures. */
function tested(args) {
  console.error("▸ Testing (vitest)");
  const results = join(scratch, "results.json");
  const [command, line] = program("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${results}`, ...args]);
  const { status } = spawnSync(command, line, { cwd: root, stdio: "inherit" });
  if (status === 0) return [];
  const files = existsSync(results) ? JSON.parse(readFileSync(results, "utf8")).testResults : [];
  const failed = files.filter((file) => file.status === "failed");
  const named = failed.flatMap(({ name, assertionResults }) =>
    assertionResults.filter((test) => test.status === "failed").map((test) => ({ file: relative(root, name), test: test.fullName })),
  );
  if (failed.length > 0 && failed.length <= 3 && failed.every((file) => file.assertionResults.some((test) => test.status === "failed"))) {
    return named;
  }
  console.error("✗ Testing (vitest) failed");
  process.exit(status ?? 1);
}

/** A test that fails among thousands and passes alone is a bug of the test. It is named, loudly, and does not hide what else was tested. */
function againAlone(failed) {
  const files = [...new Set(failed.map(({ file }) => file))];
  step(`Testing again what failed: ${files.join(" ")}`, ...program("vitest", ["run", ...files]));
  for (const { file, test } of failed) console.error(`! flaky, to be fixed: ${file}: ${test}`);
}
