import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * A preload (`node --import`) that makes the Nth change to the file system fail, whatever call it is. FAULT is `{ "at": 3, "how": "kill"
 * }`: the process dies in place of the third change. `torn`: after half of it, if it is a write. `short`: a write reports half the bytes.
 * `EIO`, or any other code: the call fails once, or with `"lasting": true` from then on for every change that needs space. Standard streams
 * never fail. The counted calls are written to FAULT_CALLS, unless the process is killed.
 */
const { writeFileSync } = fs;
const callsFile = process.env["FAULT_CALLS"];
const { at = Number.POSITIVE_INFINITY, how, lasting = false } = JSON.parse(process.env["FAULT"] ?? "{}");
const calls = [];

const { O_CREAT } = fs.constants;
const needsSpace = new Set(["writeSync", "writeFileSync", "appendFileSync", "mkdirSync", "openSync"]);
const isChange = {
  openSync: (_path, flags) => (typeof flags === "number" ? (flags & O_CREAT) !== 0 : flags !== undefined && flags !== "r"),
  writeSync: (fd) => fd > 2,
};

function failure(name) {
  return Object.assign(new Error(`${how}: injected, ${name}`), { code: how, syscall: name.replace("Sync", "") });
}

/** Half of a write, at least a byte. */
function half(write, [fd, bytes, offset = 0, length = bytes.length - offset, position = null]) {
  return write(fd, bytes, offset, Math.ceil(length / 2), position);
}

function faulty(name, original) {
  return (...args) => {
    if (isChange[name]?.(...args) === false) return original(...args);
    calls.push(name);
    const isDue = calls.length === at || (lasting && calls.length > at && needsSpace.has(name));
    if (!isDue) return original(...args);
    if (how === "short") return name === "writeSync" ? half(original, args) : original(...args);
    if (how === "torn" && name === "writeSync") half(original, args);
    if (how === "kill" || how === "torn") process.kill(process.pid, "SIGKILL");
    throw failure(name);
  };
}

const names =
  "openSync writeSync writeFileSync appendFileSync mkdirSync renameSync unlinkSync rmSync ftruncateSync truncateSync fsyncSync fdatasyncSync chmodSync fchmodSync";
for (const name of names.split(" ")) fs[name] = faulty(name, fs[name]);

for (const name of ["fdatasync", "fsync"]) {
  const original = fs[name];
  fs[name] = (fd, callback) => {
    try {
      faulty(name, () => original(fd, callback))();
    } catch (error) {
      process.nextTick(callback, error);
    }
  };
}
syncBuiltinESMExports();

delete process.env["FAULT"]; // does not apply to the agent
delete process.env["FAULT_CALLS"];
process.on("exit", () => {
  if (callsFile !== undefined) writeFileSync(callsFile, JSON.stringify(calls));
});
