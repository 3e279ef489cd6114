import { expect, test } from "vitest";
import { activity } from "../../src/pure/views/activity/view.ts";
import { result } from "../../src/pure/views/result/view.ts";
import { stream } from "../../src/pure/views/stream/view.ts";
import { loadFixtures, replay } from "../support/fixtures.ts";

/** A4: a run that did not succeed says why, in every view that has errors, also if its process exited with 0 and printed nothing. */

const FAILED = new Set(["failed", "infrastructure", "crashed", "timed_out", "hung"]);

test.each(loadFixtures().map((fixture) => [fixture.name, fixture] as const))("%s: a failure has an error", (_, fixture) => {
  const [end] = replay(fixture, result);
  const errors = replay(fixture, activity).filter(({ type }) => type === "error").length;
  const told = replay(fixture, stream).filter(({ type }) => type === "Error").length;
  if (FAILED.has(end?.status ?? "")) expect(Math.min(errors, told)).toBeGreaterThan(0);
});
