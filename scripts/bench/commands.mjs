// What a wrapped command costs more than a bare one, in times of an empty `sh -c :`.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bundled } from "../bundled.mjs";

const COMMANDS = 200;

/** Best against best, by the clock and in processor time: on a busy machine a command of three processes waits three times. */
export async function measureCommands({ temp, runs, say }) {
  const { makeWrappers } = await bundled("src/observe/commands", ["make-wrappers.ts"]);
  const best = new Map();
  for (let turn = 1; turn <= runs + 2; turn++) {
    say(`commands ${turn}/${runs + 2}`);
    const folder = join(temp, `commands-${turn}`);
    mkdirSync(folder);
    const { bin } = makeWrappers(folder, ["env", "uname"], process.env.PATH);
    const wrapped = `${bin}${delimiter}${process.env.PATH}`;
    for (const [name, command, path] of [
      ["sh", "/bin/sh -c :", process.env.PATH],
      ["bare by name", "uname", process.env.PATH],
      ["by name", "uname", wrapped],
      ["bare by path", "env -i", process.env.PATH],
      ["by path", "env -i", wrapped],
    ]) {
      const { ms, cpu } = timeOf(command, path);
      const before = best.get(name) ?? { ms: Infinity, cpu: Infinity };
      best.set(name, { ms: Math.min(before.ms, ms), cpu: Math.min(before.cpu, cpu) });
    }
    rmSync(folder, { recursive: true });
  }
  const more = (name, what) => (best.get(name)[what] - best.get(`bare ${name}`)[what]) / best.get("sh")[what];
  return { clock: more("by path", "ms"), cpu: more("by path", "cpu"), byName: more("by name", "cpu") };
}

/** The second line of `times` is that of the children: user and system. */
function timeOf(command, path) {
  const script = `i=0; while [ $i -lt ${COMMANDS} ]; do ${command}; i=$((i+1)); done >/dev/null; times`;
  const start = performance.now();
  const { status, stdout } = spawnSync("/bin/sh", ["-c", script], { env: { PATH: path }, encoding: "utf8" });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  const times = [...stdout.split("\n")[1].matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, seconds]) => 60 * minutes + Number(seconds));
  return { ms, cpu: 1000 * (times[0] + times[1]) };
}
