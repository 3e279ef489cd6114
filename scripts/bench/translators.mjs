// The throughput of each agent's translator on its largest recording, relative to a bare loop over the same file.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./child.mjs";
import { generateSession, recordings } from "./recordings.mjs";

const path = (name) => new URL(name, import.meta.url).pathname;

/** The first pass compiles; the best of the others counts. */
const PASSES = "2";

/**
 * The best time of the bare loop divided by our best, per recording; the two take turns. The bare loop reads as the library does,
 * without blocking. Ours goes from bytes to events, which a view only counts. Both wall and processor time are reported: on a busy machine,
 * wall time favours the bare loop, which sleeps between its small reads and wakes first. On an idle machine the two agree.
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
