import { expect, test } from "vitest";
import { sentenceOf } from "../../../src/app/terminal/flags.ts";
import { HarnessError } from "../../../src/pure/base/index.ts";

test("a field that an error names is shown as its flag", () => {
  const error = new HarnessError("usage", "`resumeAt` needs `resume`; leave it out.", { option: "resumeAt" });
  expect(sentenceOf(error)).toBe("--at needs --resume; leave it out.");
});

test("a field that an error does not name gets a remedy that names its flag", () => {
  const error = new HarnessError("start", "Working directory not found: /nope.", { option: "cwd" });
  expect(sentenceOf(error)).toBe("Working directory not found: /nope. Pass an existing directory with --cwd.");
});

test("an error without a known field stays unchanged", () => {
  const view = new HarnessError("usage", 'There is no view called "x".', { option: "view" });
  expect(sentenceOf(view)).toBe(view.message);
  expect(sentenceOf(new HarnessError("usage", "A `cwd` in other text."))).toBe("A `cwd` in other text.");
  const odd = new HarnessError("usage", "`constructor` and `env` are there.", { option: "env" });
  expect(sentenceOf(odd)).toBe("`constructor` and --env are there.");
});

test("an error knows its option", () => {
  expect(new HarnessError("start", "No.", { option: "cwd" })).toMatchObject({ code: "start", option: "cwd" });
  expect(new HarnessError("start", "No.").option).toBeUndefined();
});
