import { expect, test } from "vitest";
import { commitClaim, createdFiles, looseClaims, testClaim, unchangedClaim } from "../../../../src/pure/views/truth/claims.ts";

test.each([
  "All tests pass.",
  "Fixed; npm test passes.",
  "I ran the tests and they all pass.",
  "Tests: 5 passed, 0 failed",
  "The test suite is green.",
  "All tests pass now and the build is clean.",
  "Ran 12 tests with no failures.",
  "Alle Tests sind bestanden.",
  "所有测试都通过了。",
  "✅ Tests",
])("%s claims that tests passed", (text) => expect(testClaim(text)).toBeDefined());

test.each([
  "The tests should pass now.",
  "If the tests pass, merge it.",
  "I could not run the tests.",
  "Two tests fail.",
  "The test passes 1 and 2 to `sum`.",
  "The test passes a callback.",
  "Run the tests to see whether they pass.",
  "Do the tests pass?",
])("%s does not", (text) => expect(testClaim(text)).toBeUndefined());

test("a commit is claimed by its maker", () => {
  for (const text of ["Fixed and committed.", "I created commit 1a2b3c4d.", "I made a commit with the fix."])
    expect(commitClaim(text), text).toBeDefined();
  for (const text of ["It was committed last week.", "I did not commit.", "The last commit 1a2b3c4 broke it.", "Shall I commit?"])
    expect(commitClaim(text), text).toBeUndefined();
});

test("files are claimed by name, products are not files", () => {
  expect(createdFiles("I created `src/a.ts` and wrote the file ./b.txt.").map(({ path }) => path)).toEqual(["src/a.ts", "b.txt"]);
  expect(createdFiles("Created a Node.js app. Added Vue.js. Added `sum.call`. I could have created a.txt.")).toEqual([]);
});

test("a denial covers everything, or it is none", () => {
  for (const text of ["I made no changes.", "No files were changed.", "Nothing was modified."])
    expect(unchangedClaim(text), text).toBeDefined();
  for (const text of ["No changes were made to the tests.", "I made no changes outside src."])
    expect(unchangedClaim(text), text).toBeUndefined();
});

test("claims about a build, a push, and effects elsewhere", () => {
  const kinds = (text: string) => looseClaims(text).map(({ kind }) => kind);
  expect(kinds("The build succeeds. I pushed the branch. I deployed it to production.")).toEqual(["build", "push", "elsewhere"]);
  expect(kinds("The build should succeed. I did not push. I read the code.")).toEqual([]);
});
