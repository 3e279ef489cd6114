import { expect, test } from "vitest";
import { bytesOf, textOf } from "../../../src/host/workspace/byte-path.ts";
import { generator, pick } from "../../support/random.ts";

/** What a file name may hold: whole and broken UTF-8, surrogates, and bytes that UTF-8 does not use. */
const PIECES = [
  ...["a", "/", "é", "€", "😀"].map((text) => Buffer.from(text)),
  ...[[0x80], [0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xed, 0xb2, 0x80]].map((bytes) => Buffer.from(bytes)),
];

test("bytes become text and the same bytes again", () => {
  const random = generator(7);
  for (let round = 0; round < 2000; round++) {
    const bytes = Buffer.concat(Array.from({ length: random() % 12 }, () => pick(PIECES, random)));
    expect(bytesOf(textOf(bytes))).toEqual(bytes);
  }
});

test("a byte that is not UTF-8 is one lone surrogate; what surrounds it stays text", () => {
  expect(textOf(Buffer.from([0x61, 0xff, 0xc3, 0xa9, 0xe2, 0x82]))).toBe("a\udcffé\udce2\udc82");
});
