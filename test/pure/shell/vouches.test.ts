import { expect, test } from "vitest";
import { categoryOf, categoryOfText } from "../../../src/pure/shell/category.ts";
import { vouches, vouchesFor } from "../../../src/pure/shell/vouches.ts";

const isTest = (words: readonly string[]) => categoryOf(words) === "test";

test.each([
  "npm test",
  "npm t",
  "cd x && pytest -q",
  "env X=1 npm t",
  "CI=1 timeout 60 npm run test --silent",
  "bash -lc 'cd x && pytest'",
  "cd x; npm test",
  "cd x || exit 1; npm test",
  "npm run build && npm test && npm run lint",
  "(cd x && npm test) 2>&1",
  "{ npm ci; npm test; }",
  "set -e; npm test; echo done",
  "set -euo pipefail; npm test | tail",
  "echo tests | cat && go test ./...",
  "npm test > log 2>&1",
  "set -e; npm test && echo done",
  "set -e; true && npm test; echo done",
  "timeout 600 bash -c 'cd x && npm test'",
  "set +e; npm test",
])("%s ends like its tests", (text) => {
  expect(categoryOfText(text)).toBe("test");
  expect(vouchesFor(text, isTest)).toBe(true);
  expect(vouches(["/bin/bash", "-lc", text], isTest)).toBe(true);
});

test.each([
  "npm test | tail -5",
  "npm test 2>&1 | tee log",
  "npm test || true",
  "npm test; echo done",
  "npm test & wait",
  "! npm test",
  "if npm test; then echo good; else echo bad; fi",
  "for d in a b; do (cd $d; npm test); done",
  "npm test && pytest || true",
  "bash -c 'npm test | tail'",
  "echo $(npm test)",
  "set -e; npm test | tail",
  "npm test '",
  "set -e; npm test && echo good; echo done",
  "set -e; cd x && npm test; echo done", // bash continues if `cd` fails
  "set -e; [ -f x ] && npm test; echo done",
  "set -e; { npm test && echo good; }; echo done",
  "set -e; set +e; npm test; echo done",
  "set -e; if true; then set +e; fi; npm test; echo done",
  "set -o pipefail; set +o pipefail; npm test | tail",
  "trap 'exit 0' EXIT; npm test",
  "timeout 600 bash -c 'npm test | tail'",
  "env CI=1 sh -c 'npm test; echo done'",
])("%s may end differently", (text) => {
  expect(vouchesFor(text, isTest)).toBe(false);
  expect(vouches(["sh", "-c", text], isTest)).toBe(false);
});

test("a program that is not a shell vouches for what it runs", () => {
  expect(vouches(["make", "test"], isTest)).toBe(true);
  expect(vouches(["timeout", "600", "bash", "-c", "npm test"], isTest)).toBe(true);
  expect(vouches(["timeout", "600", "bash", "-c", "npm test | tail"], isTest)).toBe(false);
  expect(vouches(["sh", "run-tests.sh"], isTest)).toBe(true);
  expect(vouchesFor("ls | wc", isTest)).toBe(true); // it contains no wanted program
});
