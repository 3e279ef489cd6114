// What must hold after every round of the campaign, whatever happened in it. Each check throws a sentence.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { read } from "./faults.mjs";
import { canary, output } from "./output.mjs";

/** Documented for `harness run`, and for every other command. 3: another process is writing this run. 70 is a bug. */
const RUN_CODES = [0, 1, 2, 3, 74, 124, 129, 130, 141, 143];
const CODES = [0, 1, 2, 3, 74, 130, 141, 143];
const STACK = /^\s+at .+:\d+:\d+\)?$|node:internal/m;

export const ofCommand = {
  "exit code is documented"({ args, code, signal, sent = [] }) {
    const known = args[0] === "run" ? RUN_CODES : CODES;
    if (!known.includes(code) && !sent.includes(signal)) fail(`it ended with ${signal ?? code}`);
  },
  "no stack trace"({ stderr, isOutOfMemory }) {
    if (!isOutOfMemory && STACK.test(stderr)) fail(`it printed a stack trace: ${stderr.slice(0, 600)}`);
  },
  "no secret is printed"({ stdout, stderr, seeds }) {
    for (const seed of seeds) if ((stdout + stderr).includes(canary(seed))) fail(`it printed the secret of ${seed}`);
  },
};

export const ofRun = {
  async "no process is left"({ manifest }) {
    const mark = `HARNESS_RUN_COOKIE=${manifest.cookie}`;
    for (const end = Date.now() + 15_000; ; await pause(100)) {
      const left = pids().filter((pid) => isAlive(pid) && (read(`/proc/${pid}/environ`) + read(`/proc/${pid}/cmdline`)).includes(mark));
      if (left.length === 0) return;
      if (Date.now() > end) fail(`still alive: ${left.map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`)}`)}`);
    }
  },
  "it is sealed"({ manifest }) {
    if (manifest.sealed === undefined) fail("it is not sealed");
  },
  "every byte is there"({ directory, seed, notes, fault }) {
    const wanted = { 1: [], 2: [] };
    for (const { fd, bytes } of output(seed)) wanted[fd].push(bytes);
    const noted = { 1: 0, 2: 0 };
    for (const [, fd, length] of read(notes).matchAll(/^(\d) (\d+)$/gm)) noted[fd] += Number(length);
    for (const [fd, name] of [
      [1, "raw.jsonl"],
      [2, "stderr.log"],
    ]) {
      const found = blank(readFileSync(join(directory, name)), seed);
      const all = blank(Buffer.concat(wanted[fd]), seed);
      if (found.length < noted[fd] && !fault.isLossy) fail(`${name} has ${found.length} bytes, ${noted[fd]} were written`);
      if (!found.equals(all.subarray(0, found.length))) fail(`${name} differs from what was written`);
    }
  },
  async "verify finds nothing"({ id, harness, fault }) {
    const { code, stdout, stderr } = await harness(["verify", id]);
    if (code !== 0 && !fault.isLossy) fail(`exit code ${code}: ${stdout}${stderr}`);
  },
  async "derived again, it is the same, in order"({ id, directory, harness }) {
    const [one, two, kept] = [
      await harness(["derive", id, "--view", "log"]),
      await harness(["derive", id, "--view", "log"]),
      await harness(["derive", id, "--view", "activity"]),
    ];
    if (one.code !== 0 || one.stdout !== two.stdout) fail(`exit code ${one.code}, ${one.stderr}`);
    const seqs = one.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).seq]));
    if (!seqs.every((seq, i) => seq === i + 1)) fail("seq has gaps or repeats");
    if (existsSync(join(directory, "events.jsonl")) && kept.stdout !== readFileSync(join(directory, "events.jsonl"), "utf8")) {
      fail("events.jsonl differs from what is derived");
    }
  },
};

export const ofStore = {
  async "every run is listed once"({ runs, harness }) {
    const { stdout, code } = await harness(["runs", "--json"]);
    const listed = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).id]));
    const there = readdirSync(runs).filter((name) => !name.startsWith(".") && existsSync(join(runs, name, "run.json")));
    if (code !== 0 || listed.sort().join() !== there.sort().join()) fail(`listed ${listed.length}, there are ${there.length}`);
  },
  "only deleted runs are gone"({ runs, known, deleted }) {
    for (const id of known) if (!deleted.has(id) && !existsSync(join(runs, id, "run.json"))) fail(`${id} is gone`);
  },
  "no secret is kept"({ root, seeds }) {
    for (const path of filesUnder(root)) {
      const bytes = readFileSync(path);
      for (const seed of seeds) if (bytes.includes(canary(seed))) fail(`${path} has the secret of ${seed}`);
    }
  },
};

function fail(sentence) {
  throw new Error(sentence);
}

/** Secrets are masked at the same length. */
function blank(bytes, seed) {
  const copy = Buffer.from(bytes);
  const secret = Buffer.from(canary(seed));
  const before = Buffer.from("The key is ");
  for (let at = copy.indexOf(before); at >= 0; at = copy.indexOf(before, at + 1)) {
    copy.fill(0x2a, at + before.length, Math.min(copy.length, at + before.length + secret.length));
  }
  return copy;
}

function pids() {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

function isAlive(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== "" && !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
