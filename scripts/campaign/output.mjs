// What an agent of the campaign prints: chunks that follow from a seed alone, so the seed is all you need to check the bytes.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chance, generator, pick, upTo } from "./random.mjs";

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "../../fixtures/claude");
const MOST = 4 * 1024 * 1024;
const ODD = [
  "\u001b[31mred\u001b[0m",
  "\u202etxt.exe",
  "\u2028",
  "é".normalize("NFD"),
  "🜚",
  "\u0000",
  "x".repeat(300_000),
  "{".repeat(2_000),
];

/** One canary per run: the value of a secret that the agent prints. */
export const canary = (seed) => `canary-${seed}-5f1c/ö+v`;

/** @returns {Generator<{ fd: 1 | 2, bytes: Buffer, pauseMs: number }>} */
export function* output(seed) {
  const random = generator(seed);
  const lines = fixtureLines(random);
  const total = upTo(random, 22) % MOST;
  const isSlow = chance(random, 0.3);
  for (let printed = 0; printed < total; ) {
    const bytes = chunk(random, lines, seed);
    printed += bytes.length;
    yield { fd: chance(random, 0.1) ? 2 : 1, bytes, pauseMs: isSlow && chance(random, 0.2) ? random() % 60 : 0 };
  }
}

function chunk(random, lines, seed) {
  const kind = random() % 20;
  if (kind < 11) return Buffer.from(`${pick(random, lines)}\n`);
  if (kind < 14) return Buffer.from(pick(random, lines).slice(0, random() % 500)); // a line in pieces
  if (kind < 16) return Buffer.from(`${JSON.stringify({ type: "assistant", text: pick(random, ODD) })}\n`);
  if (kind < 17) return Buffer.from(`The key is ${canary(seed)}.\n`);
  if (kind < 19) return Buffer.from("\n");
  return Buffer.from(Array.from({ length: random() % 3_000 }, () => random() % 256)); // not even text
}

function fixtureLines(random) {
  const names = readdirSync(FIXTURES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const lines = readFileSync(join(FIXTURES, pick(random, names), "raw.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.length === 0 ? ["{}"] : lines; // an agent that failed to start printed nothing
}
