// The throughput of each agent's translator over its own largest recording, beside a bare loop over the same file.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./child.mjs";
import { generateSession, recordings } from "./recordings.mjs";

const path = (name) => new URL(name, import.meta.url).pathname;

/** The first pass is the compiler's; the better of two counts. */
const PASSES = "2";

/**
 * Time of the bare loop over ours, per recording: best against best, the two by turns, so that a noisy minute decides
 * nothing. The bare loop reads as the library does, without blocking; ours is the whole way from bytes to `activity`.
 */
export async function measureTranslators({ dist, fixtures, only, bytes, runs, overFile, say }) {
  const measured = [];
  const library = pathToFileURL(join(dist, "index.js")).href;
  for (const recording of recordings(fixtures).filter(({ agent }) => only === undefined || agent === only)) {
    const { agent, scenario } = recording;
    const generate = (file) => {
      const { lines } = generateSession(recording, file, bytes);
      say(`${agent}/${scenario} as ${Math.round(bytes / 1_000_000)} MB: ${lines} lines of ${Math.round(bytes / lines)} bytes on average`);
    };
    const ratio = await overFile("session.jsonl", generate, async (file) => {
      const best = { bare: Infinity, ours: Infinity };
      for (let turn = 0; turn < runs; turn++) {
        best.bare = Math.min(best.bare, (await run([path("bare.mjs"), file, "streaming", PASSES])).report.ms);
        best.ours = Math.min(best.ours, (await run([path("library.mjs"), library, file, PASSES, agent])).report.ms);
      }
      return best.bare / best.ours;
    });
    measured.push({ agent, scenario, ratio });
  }
  return measured;
}
