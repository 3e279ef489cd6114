import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * A preload (`node --import`) that makes a call of `node:fs` fail as a disk would. A fault is
 * `{ call: "writeSync", at: 3, times: 2, short: 5, code: "EIO" }`: the third call writes only five bytes and says so; the fourth fails
 * with that code; the fifth succeeds. Without `short` the third fails, too. With `kill` the process dies instead of failing, or after
 * the bytes were written. Standard streams never fail. Read from the environment (FAULT, as JSON), or armed by the program with
 * `globalThis.fault(spec)`, which starts counting.
 */
let armed = process.env["FAULT"] === undefined ? undefined : JSON.parse(process.env["FAULT"]);
let calls = 0;

globalThis.fault = (spec) => {
  armed = spec;
  calls = 0;
};

/** How many calls were counted since the fault was armed. */
globalThis.faultCalls = () => calls;

for (const name of ["writeSync", "fsyncSync", "renameSync", "ftruncateSync", "openSync"]) {
  const original = fs[name];
  fs[name] = (...args) => {
    if (armed?.call !== name || (typeof args[0] === "number" && args[0] <= 2)) return original(...args);
    calls++;
    const { at, times = 1, short, code, kill } = armed;
    if (calls < at || calls >= at + times) return original(...args);
    const isShort = short !== undefined && calls === at;
    const [fd, bytes, offset = 0, length = bytes?.length - offset] = args;
    const count = isShort && name === "writeSync" ? original(fd, bytes, offset, Math.min(short, length)) : 0;
    if (kill) process.kill(process.pid, "SIGKILL");
    if (isShort) return count;
    throw Object.assign(new Error(`${code}: injected, ${name}`), { code, syscall: name.replace("Sync", "") });
  };
}
syncBuiltinESMExports();
