// The cost of file evidence (both manifests, kept contents, comparison, patch) relative to one bare pass.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { run } from "./child.mjs";
import { plant } from "./workspace.mjs";

const path = (name) => new URL(name, import.meta.url).pathname;
const SOURCE = new URL("../../src/", import.meta.url).pathname;

/** Compares the best runs in wall time and in processor time, which load does not change; also the peak memory. */
export async function measureObserve({ temp, files, runs, say }) {
  const root = join(temp, "workspace");
  const bundle = join(temp, "observe.mjs");
  const contents = `export * from "${SOURCE}observe/file-evidence.ts"; export { nothingToFind } from "${SOURCE}store/masker.ts";`;
  buildSync({ stdin: { contents, resolveDir: SOURCE }, outfile: bundle, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  say(`a workspace of ${files} files`);
  plant(root, files);
  const best = { bare: Infinity, bareCpu: Infinity, ours: Infinity, oursCpu: Infinity };
  let peak = 0;
  try {
    await run([path("workspace-bare.mjs"), root]); // into the page cache
    for (let turn = 1; turn <= runs; turn++) {
      say(`observe ${turn}/${runs}`);
      const bare = (await run([path("workspace-bare.mjs"), root])).report;
      best.bare = Math.min(best.bare, bare.ms);
      best.bareCpu = Math.min(best.bareCpu, bare.cpu);
      const out = join(temp, `observe-${turn}`);
      const { report } = await run([path("observe-ours.mjs"), bundle, root, out]);
      best.ours = Math.min(best.ours, report.ms);
      best.oursCpu = Math.min(best.oursCpu, report.cpu);
      peak = Math.max(peak, report.peak);
      rmSync(out, { recursive: true });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return { clock: best.ours / best.bare, cpu: best.oursCpu / best.bareCpu, peak };
}
