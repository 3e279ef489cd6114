import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Pure tests share one context per worker: they have no state to leak, and start in a tenth of the time. */
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "threads",
    isolate: false,
    maxWorkers: Math.max(2, availableParallelism()), // by default one core is left idle, and most tests wait for other processes
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } }, // one second, by default: less than a busy machine takes for a redraw
  },
});
