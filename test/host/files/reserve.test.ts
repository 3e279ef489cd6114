import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { reserveSpace } from "../../../src/host/files/reserve.ts";
import { cleanUp, directory, program, run } from "./child.ts";

afterAll(cleanUp);

describe("reserveSpace", () => {
  test("takes real disk blocks and returns them", () => {
    const base = directory();
    const reserve = reserveSpace(base);
    const { size, blocks, mode } = statSync(join(base, "reserve"));
    expect([size, mode & 0o777]).toEqual([64 * 1024, 0o600]);
    expect(blocks * 512).toBeGreaterThanOrEqual(64 * 1024);
    reserve.free();
    reserve.free();
    expect(readdirSync(base)).toEqual([]);
  });

  test("replaces the reserve of a run that died, and follows no link", () => {
    const base = directory();
    writeFileSync(join(base, "target"), "untouched");
    symlinkSync(join(base, "target"), join(base, "reserve"));
    const reserve = reserveSpace(base, 1000);
    expect(statSync(join(base, "reserve")).size).toBe(1000);
    reserve.free();
    expect(readFileSync(join(base, "target"), "utf8")).toBe("untouched");
    expect(readdirSync(base)).toEqual(["target"]);
  });

  test("freeing never throws, whatever happened to the file", () => {
    const base = directory();
    const reserve = reserveSpace(base, 1000);
    reserveSpace(base, 1000).free();
    reserve.free();
    expect(readdirSync(base)).toEqual([]);
  });

  test("says why it failed, and leaves nothing", async () => {
    const base = directory();
    expect(() => reserveSpace(join(base, "missing"))).toThrow(
      expect.objectContaining({ code: "log", message: expect.stringContaining("Cannot reserve 65536 bytes in") }),
    );
    const reserve = program(`import { reserveSpace } from "src/host/files/reserve.ts";
      try { reserveSpace(process.argv[2]); }
      catch ({ code, message }) { console.log(JSON.stringify({ code, message })); }`);
    const fault = { call: "writeSync", at: 1, short: 4096, code: "ENOSPC", times: 1e9 };
    const message = `Cannot reserve 65536 bytes in ${base}: no space is left on the device.`;
    expect(await run(reserve, { args: [base], fault })).toEqual({ code: "log", message });
    expect(await run(reserve, { args: [base], shell: "ulimit -f 8" })).toMatchObject({ message: expect.stringContaining("limit") });
    expect(readdirSync(base)).toEqual([]);
  });
});
