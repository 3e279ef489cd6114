import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/pure/base/json.ts";
import { consumed } from "../../../src/pure/pipeline/agent.ts";
import { eventLog } from "../../../src/pure/pipeline/event-log.ts";
import { views } from "../../../src/pure/views/views.ts";
import { EPOCH, linesOf, loadFixtures } from "../../support/fixtures.ts";
import { runs } from "../../support/full.ts";
import { generator, pick } from "../../support/random.ts";

/**
 * Case 31: many recorded lines with fields deleted, retyped or renamed. No line may throw. None may vanish without an event, unless its
 * translator drops such lines on purpose. Every view must stay serialisable.
 */

const RUNS = runs(20_000, 100_000);
const strange: readonly unknown[] = [null, 0, -1, 1e308, "", "text", true, [], {}, [null], { type: "text" }, "__proto__"];

/** All fields of a value, depth first: the object that holds each, and its key. */
function fields(value: unknown, found: [Record<string, unknown>, string][] = []): [Record<string, unknown>, string][] {
  if (typeof value !== "object" || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push([value as Record<string, unknown>, key]);
    fields((value as Record<string, unknown>)[key], found);
  }
  return found;
}

function mutate(line: JsonObject, random: () => number): JsonObject {
  const copy = structuredClone(line);
  for (let i = 0; i <= random() % 3; i++) {
    const all = fields(copy);
    const [holder, key] = all[random() % all.length] ?? [{}, ""];
    const how = random() % 3;
    if (how === 0) delete holder[key];
    else if (how === 1) holder[key] = structuredClone(strange[random() % strange.length]);
    else {
      holder[`${key}_`] = holder[key];
      delete holder[key];
    }
  }
  return copy;
}

const fixtures = loadFixtures().filter(({ raw, agent }) => raw.length > 0 && agent.id !== "generic");

test(`${RUNS} mutated lines: nothing thrown, nothing lost`, () => {
  const seed = fc.sample(fc.nat(), 1)[0] ?? 0;
  const random = generator(seed);
  const streams = fixtures.map(({ agent, raw }) => ({ agent, lines: parsed(raw) })).filter(({ lines }) => lines.length > 0);
  let done = 0;
  while (done < RUNS) {
    const { agent, lines } = pick(streams, random);
    const translator = agent.open({ here: { record: 1, stream: "stdout", offset: 0, length: 0 }, at: 0 });
    const open = Object.values(views).map((view) => view.open({ reasoning: true }));
    const log = eventLog(agent, { startedAt: EPOCH }, (event) => {
      for (const view of open) for (const record of view.push(event)) JSON.stringify(record);
    });
    for (const line of lines) {
      const changed = random() % 2 === 0 ? mutate(line, random) : line;
      done++;
      const bodies = translator.push(changed);
      if (bodies.length === 0) expect(bodies, `seed ${seed}: lost ${JSON.stringify(changed)}`).toBe(consumed);
      const text = JSON.stringify(changed);
      log.push({
        type: "line",
        at: EPOCH,
        stream: "stdout",
        line: { offset: 0, length: text.length, text, terminated: true, oversize: false },
      });
    }
    translator.end();
    log.end();
  }
  expect(done).toBeGreaterThanOrEqual(RUNS);
});

function parsed(raw: Buffer): JsonObject[] {
  return linesOf(raw).flatMap((line) => {
    const value: unknown = parsedLine(line.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [value as JsonObject] : [];
  });
}

/** Undefined for a line that is not JSON: some recordings have them, and the log never passes them to `push`. */
function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
