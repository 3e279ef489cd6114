/** add_key, request_key and keyctl, by the kernel's number of the architecture. The keys of a user are not part of any namespace. */
const KEYS: readonly (readonly [architecture: number, calls: readonly number[]])[] = [
  [0xc000003e, [248, 249, 250, 0x400000f8, 0x400000f9, 0x400000fa]], // x86-64, and its programs with short pointers
  [0x40000003, [286, 287, 288]], // x86
  [0xc00000b7, [217, 218, 219]], // ARM, 64 bits
  [0x40000028, [309, 310, 311]], // ARM
];

const LOAD = 0x20;
const EQUALS = 0x15;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** Fails with EPERM. */
const DENY = 0x00050001;

type Instruction = readonly [code: number, yes: number, no: number, value: number];

/** A filter for system calls, as the kernel reads it: programs inside cannot use the user's keys. */
export function keyFilter(): Uint8Array {
  const program: Instruction[] = [[LOAD, 0, 0, 4]];
  const last = 2 + KEYS.reduce((sum, [, calls]) => sum + calls.length + 3, 0); // the place of DENY
  for (const [architecture, calls] of KEYS) {
    program.push([EQUALS, 0, calls.length + 2, architecture], [LOAD, 0, 0, 0]);
    for (const call of calls) program.push([EQUALS, last - program.length - 1, 0, call]);
    program.push([RETURN, 0, 0, ALLOW]);
  }
  program.push([RETURN, 0, 0, ALLOW], [RETURN, 0, 0, DENY]);
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, [code, yes, no, value]] of program.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, yes);
    bytes.setUint8(index * 8 + 3, no);
    bytes.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}
