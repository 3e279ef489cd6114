/** The best of several passes, in milliseconds: wall time, and processor time of all threads of this process. */
export async function bestOf(passes, pass) {
  const best = { ms: Infinity, cpuMs: Infinity };
  for (let turn = 0; turn < passes; turn++) {
    const started = performance.now();
    const before = process.cpuUsage();
    await pass();
    const { user, system } = process.cpuUsage(before);
    best.ms = Math.min(best.ms, performance.now() - started);
    best.cpuMs = Math.min(best.cpuMs, (user + system) / 1000);
  }
  return best;
}
