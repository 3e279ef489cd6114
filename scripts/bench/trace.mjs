// The cost of a trace: a program under strace, with the options of `harness observe --trace`, in times of the program alone.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { bundled } from "../bundled.mjs";

const PROGRAMS = [
  ["node -e 0", ["node", "-e", "0"]],
  ["npm --version", ["npm", "--version"]],
  ["sh -c 'uname; uname; …'", ["/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do /bin/uname; done"]],
];
const TURNS = 15;
const LINES = 1_000_000;

/** Compares the best runs. Empty if strace is not allowed to trace. */
export async function measureTrace({ temp, runs, say }) {
  const { probeTrace, traceCommand } = await bundled("src/work/observe/commands/trace", ["probe-trace.ts", "trace-command.ts"]);
  const file = join(temp, "trace");
  const way = probeTrace("strace", file);
  if (way === undefined) return [];
  return PROGRAMS.map(([name, argv]) => {
    say(`trace ${name}`);
    const best = { bare: Infinity, traced: Infinity };
    for (let turn = 0; turn < TURNS * runs; turn++) {
      for (const [kind, words] of [
        ["bare", argv],
        ["traced", [...traceCommand("strace", way, file), ...argv]],
      ])
        best[kind] = Math.min(best[kind], timeOf(words));
    }
    return { name, ratio: best.traced / best.bare };
  });
}

function timeOf([program, ...args]) {
  const from = performance.now();
  const { status } = spawnSync(program, args, { stdio: "ignore" });
  if (status !== 0) throw new Error(`${program} failed`);
  return performance.now() - from;
}

/** Lines of a long trace read per second. */
export async function measureReading({ say }) {
  say("trace, reading");
  const { traceReader } = await bundled("src/work/observe/commands/trace", ["trace-reader.ts"]);
  const none = {
    isIgnored: () => false,
    links: [],
    linkAt: () => undefined,
    isAgent: () => false,
    isLocal: () => false,
    corePattern: "core",
  };
  const reader = traceReader({ cwd: "/w", ...none });
  reader.push('1 1.000000 execve("/bin/sh", ["sh"], 0x1 /* 2 vars */) = 0');
  const from = performance.now();
  for (let i = 0; i < LINES; i++) {
    const [flags, name] = i % 5 === 0 ? ["O_WRONLY|O_CREAT|O_TRUNC, 0666", `out/${i}.js`] : ["O_RDONLY|O_CLOEXEC", `src/${i}.ts`];
    reader.push(`1 2.000000 openat(AT_FDCWD</w>, "${name}", ${flags}) = 3</w/${name}>`);
  }
  return LINES / ((performance.now() - from) / 1000);
}
