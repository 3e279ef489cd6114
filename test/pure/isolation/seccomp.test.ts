import { expect, test } from "vitest";
import { keyFilter } from "../../../src/pure/isolation/index.ts";

/** Runs the filter like the kernel: the value it returns for a call. */
function decide(architecture: number, call: number): number {
  const bytes = keyFilter();
  const view = new DataView(bytes.buffer);
  let accumulator = 0;
  for (let at = 0; at < bytes.length / 8; at++) {
    const [code, yes, no, value] = [
      view.getUint16(at * 8, true),
      view.getUint8(at * 8 + 2),
      view.getUint8(at * 8 + 3),
      view.getUint32(at * 8 + 4, true),
    ];
    if (code === 0x20) accumulator = value === 4 ? architecture : call;
    else if (code === 0x15) at += accumulator === value ? yes : no;
    else return value;
  }
  throw new Error("the filter has no end");
}

const [ALLOWED, DENIED] = [0x7fff0000, 0x00050001];

test.each([
  ["x86-64", 0xc000003e, [248, 249, 250, 0x400000f8, 0x400000fa]],
  ["x86", 0x40000003, [286, 287, 288]],
  ["ARM, 64 bits", 0xc00000b7, [217, 218, 219]],
  ["ARM", 0x40000028, [309, 310, 311]],
])("on %s, only the calls for keys are denied", (_, architecture, calls) => {
  for (const call of [0, 1, 59, 216, 247, 251, 300, 435]) if (!calls.includes(call)) expect(decide(architecture, call)).toBe(ALLOWED);
  for (const call of calls) expect(decide(architecture, call)).toBe(DENIED);
});

test("on other machines everything is allowed", () => expect(decide(0x80000016, 280)).toBe(ALLOWED));
