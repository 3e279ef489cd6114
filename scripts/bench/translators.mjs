// The throughput of each agent's translator over its own largest recording, beside a bare loop over the same file.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./child.mjs";
import { generateSession, recordings } from "./recordings.mjs";

const path = (name) => new URL(name, import.meta.url).pathname;

/** The first pass is the compiler's; the better of two counts. */
const PASSES = "2";

/**
 * Time of the bare loop over ours, per recording: best against best, the two by turns. The bare loop reads as the library
 * does, without blocking; ours is the library from bytes to events, which a view only counts. Told by the clock and in processor time: on a
 * machine with more work than processors the clock favours the bare loop, which sleeps between its small reads and is woken
 * first, and says little about the translator. On an idle machine the two agree.
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
    const ratios = await overFile("session.jsonl", generate, async (file) => {
      const bare = [];
      const ours = [];
      for (let turn = 0; turn < runs; turn++) {
        bare.push((await run([path("bare.mjs"), file, "streaming", PASSES])).report);
        ours.push((await run([path("translator.mjs"), library, file, PASSES, agent])).report);
      }
      return { clock: least(bare, "ms") / least(ours, "ms"), processor: least(bare, "cpuMs") / least(ours, "cpuMs") };
    });
    say(`${agent}/${scenario}: processor ${ratios.processor.toFixed(2)}, clock ${ratios.clock.toFixed(2)}`);
    measured.push({ agent, scenario, ...ratios });
  }
  return measured;
}

function least(reports, key) {
  return Math.min(...reports.map((report) => report[key]));
}
