import { expect, test } from "vitest";
import { activityOf } from "./support.ts";

/** Best effort, as specification 000 requires for a CLI with an undocumented format. */

test.each([
  ["ERROR: could not open", "error"],
  ["error: could not open", "error"],
  ["\u001b[31mERROR:\u001b[0m red", "error"],
  ["npm ERR! code 1", "error"],
  ["FATAL out of memory", "error"],
  ["panic: nil map", "error"],
  ["[warn] slow", "warning"],
  ["WARN deprecated", "warning"],
  ["npm WARN old", "warning"],
  ["Warning: unused", "warning"],
  ["2026-01-01T00:00:00Z ERROR core: boom", "error"],
  ["errors were found in 3 files", "unknown"],
  ["The error: none", "unknown"],
  ["warning signs ahead", "unknown"],
  ['{"level":"error","msg":"boom"}', "error"],
  ['{"type":"error","error":{"message":"boom"}}', "error"],
  ['{"severity":"WARNING","message":"hot"}', "warning"],
  ['{"type":"progress","message":"50"}', "unknown"],
  ["plain text", "unknown"],
])("%j is %s", (line, type) => {
  expect(activityOf("generic", [line])).toMatchObject([{ type }]);
});
