// The extra cost of a wrapped command, in times of an empty `sh -c :`.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bundled } from "../bundled.mjs";

/** Many short rounds: at least one of them runs undisturbed. */
const COMMANDS = 25;
const TURNS = 8;

/** Compares the best rounds, in wall and processor time: on a busy machine, a command of three processes waits three times. */
export async function measureCommands({ temp, runs, say }) {
  const { makeWrappers } = await bundled("src/work/observe/commands", ["make-wrappers.ts"]);
  const best = new Map();
  for (let turn = 1; turn <= TURNS * runs; turn++) {
    say(`commands ${turn}/${TURNS * runs}`);
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

/** bash reports the clock in microseconds, and the time of its children (the second line of `times`) in milliseconds. */
function timeOf(command, path) {
  const script = `i=0; while [ $i -lt ${COMMANDS} ]; do ${command}; i=$((i+1)); done >/dev/null`;
  const args = ["-c", 's=$EPOCHREALTIME; /bin/sh -c "$1" && echo "$s $EPOCHREALTIME"; times', "bash", script];
  const { stdout } = spawnSync("bash", args, { env: { PATH: path }, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const [clock = "", , children = ""] = stdout.split("\n");
  const [from, to] = clock.split(" ").map(Number);
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, seconds]) => 60 * minutes + Number(seconds));
  if (to === undefined || times.length !== 2) throw new Error(`${command} failed`);
  return { ms: 1000 * (to - from), cpu: 1000 * (times[0] + times[1]) };
}
