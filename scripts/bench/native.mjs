import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { run } from "./child.mjs";

const script = (name) => fileURLToPath(new URL(name, import.meta.url));

/** How large a piece of text one event carries: a token's worth, and a paragraph's. */
const PIECES = [24, 400];

/** What a model's stream costs in our provider harness, in times of parsing the same events bare; in processor time, each in a fresh process. */
export async function measureNative({ dist, megabytes, runs, say }) {
  const rows = [];
  for (const piece of PIECES) {
    const server = spawn(process.execPath, [script("native-server.mjs"), String(megabytes * 1e6), String(piece)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [port] = (await once(server.stdout, "data")).map(String);
      const best = { bare: Infinity, ours: Infinity };
      for (let turn = 0; turn < runs; turn++) {
        for (const how of ["bare", "ours"]) {
          const { report } = await run([script("native-client.mjs"), how, dist, port.trim()]);
          best[how] = Math.min(best[how], report.cpuMs);
        }
      }
      say(
        `a stream of ${megabytes} MB in pieces of ${piece} characters: bare ${Math.round(best.bare)} ms, ours ${Math.round(best.ours)} ms of processor time`,
      );
      rows.push({ piece, ratio: best.ours / best.bare });
    } finally {
      server.kill("SIGKILL");
    }
  }
  return rows;
}
