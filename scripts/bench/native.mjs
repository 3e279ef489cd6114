import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { run } from "./child.mjs";

const script = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Characters per event: about a token, and about a paragraph. */
const PIECES = [24, 400];

/** The processor time of our provider harness for a model's stream, in times of bare parsing. Each measurement runs in a fresh process. */
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
