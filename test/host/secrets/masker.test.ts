import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findFingerprints, fingerprintsOf } from "../../../src/host/recording/format/fingerprints.ts";
import { type FindSecrets, findForms } from "../../../src/host/secrets/find-forms.ts";
import { findSecrets } from "../../../src/host/secrets/find-secrets.ts";
import { type Masked, masker } from "../../../src/host/secrets/masker.ts";
import { secretForms } from "../../../src/host/secrets/secret-forms.ts";
import { runs } from "../../support/full.ts";

/** Case 66: no known secret appears in the released bytes, however the bytes arrive. */

interface Whole {
  readonly text: string;
  /** Ranges that touch are joined. */
  readonly ranges: readonly { offset: number; length: number }[];
  readonly count: number;
}

function mask(find: FindSecrets, pieces: Iterable<Uint8Array>): Whole {
  const stream = masker(find);
  const all: Masked[] = [];
  for (const piece of pieces) {
    const copy = Buffer.from(piece);
    const { bytes, ranges } = stream.push(copy);
    all.push({ bytes: Buffer.from(bytes), ranges });
    if (copy.compare(piece) !== 0) throw new Error("The caller's chunk was changed.");
    copy.fill(0); // the caller may reuse it
  }
  all.push(stream.end());
  const ranges: { offset: number; length: number }[] = [];
  for (const { offset, length } of all.flatMap((masked) => masked.ranges)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.offset + last.length === offset) last.length += length;
    else ranges.push({ offset, length });
  }
  return { text: Buffer.concat(all.map(({ bytes }) => bytes)).toString("latin1"), ranges, count: stream.count };
}

/** The expected result, computed the slow way: every occurrence of every form in the original, overwritten. */
function expected(forms: readonly Buffer[], input: Buffer): Whole {
  const output = Buffer.from(input);
  for (const form of forms)
    for (let at = input.indexOf(form); at !== -1; at = input.indexOf(form, at + 1)) output.fill("*", at, at + form.length);
  const ranges: { offset: number; length: number }[] = [];
  let from = 0;
  const isMasked = (i: number) => output[i] !== input[i];
  for (let i = 0; i <= input.length; i++) {
    if (i < input.length && isMasked(i)) continue;
    if (i > from) ranges.push({ offset: from, length: i - from });
    from = i + 1;
  }
  return { text: output.toString("latin1"), ranges, count: ranges.length };
}

function cut(input: Buffer, cuts: readonly number[]): Buffer[] {
  const points = [0, ...cuts.map((point) => point % (input.length + 1)).sort((a, b) => a - b), input.length];
  return points.slice(1).map((end, i) => input.subarray(points[i], end));
}

const bytewise = (input: Buffer) => Array.from(input, (byte) => Uint8Array.of(byte));

/** Of two letters, so that forms overlap each other and themselves. */
const letters = (min: number, max: number) => fc.string({ unit: fc.constantFrom("a", "b"), minLength: min, maxLength: max });
const overlapping = fc.uniqueArray(letters(8, 14), { minLength: 1, maxLength: 5 });

function around(forms: readonly string[]) {
  const piece = fc.oneof(fc.constantFrom(...forms), fc.constantFrom("\n", "x", "ab", "a\nb", "…\r\n"), letters(0, 9));
  return fc.array(piece, { maxLength: 14 }).map((parts) => Buffer.from(parts.join("")));
}

describe("masker", () => {
  test("any chunking, both finders, overlapping forms: the same as the slow way", () => {
    const cases = overlapping.chain((forms) => fc.tuple(fc.constant(forms), around(forms), fc.array(fc.nat(200), { maxLength: 8 })));
    fc.assert(
      fc.property(cases, ([texts, input, cuts]) => {
        const forms = texts.map((text) => Buffer.from(text));
        const right = expected(forms, input);
        for (const find of [findForms(forms), findFingerprints(fingerprintsOf(forms))]) {
          expect(mask(find, [input])).toEqual(right);
          expect(mask(find, cut(input, cuts))).toEqual(right);
          expect(mask(find, bytewise(input))).toEqual(right);
        }
        for (const text of texts) expect(right.text).not.toContain(text);
      }),
      { numRuns: 2000 },
    );
  });

  test("20,000 chunkings of agent output: no form of a secret survives, and everything else does", () => {
    const values = ["sk-ant-api03-aB/cD+eF012345==", 'pass "word" \\ 9/é', "-----BEGIN-----\nMIIEvQIBADANBgkqhkiG\n-----END KEY-----"];
    const forms = secretForms(values);
    const finders = [findSecrets(values.map((value) => ({ value }))), findFingerprints(fingerprintsOf(forms))] as const;
    const [token = "", password = "", key = ""] = values;
    const input = Buffer.from(
      [
        `plain ${token}${token}, ${password}`,
        JSON.stringify({ env: { token, password, key } }),
        JSON.stringify({ output: JSON.stringify({ token, password, key }) }),
        `https://example.com/?a=${encodeURIComponent(token)}&${new URLSearchParams({ password, key })}`,
        ...["", "x", "xy"].map((before) => Buffer.from(`${before}${token}:${password}`).toString("base64")),
        Buffer.from(key).toString("base64url"),
        key,
        "nothing to hide here; sk-ant-api03-aB/cD+eF01234",
      ].join("\n"),
    );
    const right = mask(finders[0], [input]);
    expect(right.count).toBeGreaterThan(15);
    const plain = expected(forms, input).text;
    expect(right.text.split("\n").filter((_, line) => line < 4 || line > 7)).toEqual(
      plain.split("\n").filter((_, line) => line < 4 || line > 7), // the others are base64
    );
    expect(right.text.split("\n").at(-1)).toBe("nothing to hide here; sk-ant-api03-aB/cD+eF01234");
    for (const form of forms) expect(right.text.includes(form.toString("latin1"))).toBe(false);
    let turn = 0;
    fc.assert(
      fc.property(fc.array(fc.nat(input.length), { maxLength: 30 }), (cuts) => {
        const find = finders[turn++ % 2];
        return find !== undefined && isDeepStrictEqual(mask(find, cut(input, cuts)), right);
      }),
      { numRuns: runs(4_000, 20_000) },
    );
    for (const find of finders) expect(mask(find, bytewise(input))).toEqual(right);
  });

  test("any bytes: same length, and unchanged outside the ranges", () => {
    const form = fc.uint8Array({ minLength: 8, maxLength: 20 }).filter((bytes) => !bytes.includes(0x0a));
    fc.assert(
      fc.property(fc.array(form, { maxLength: 3 }), fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 10 }), (secrets, pieces) => {
        const forms = secrets.map((bytes) => Buffer.from(bytes));
        const input = Buffer.concat([...pieces, ...forms, ...pieces]);
        const { text, ranges } = mask(findForms(forms), [...pieces, ...forms, ...pieces]);
        const restored = Buffer.from(text, "latin1");
        expect(restored.length).toBe(input.length);
        for (const { offset, length } of ranges) {
          expect(restored.subarray(offset, offset + length).equals(Buffer.alloc(length, "*"))).toBe(true);
          input.copy(restored, offset, offset, offset + length);
        }
        expect(restored.equals(input)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  const secret = Buffer.from("0123456789");
  const text = (masked: Masked) => Buffer.from(masked.bytes).toString();

  test("releases a line with its newline, and holds back less than the longest form otherwise", () => {
    const stream = masker(findForms([secret]));
    expect(text(stream.push(Buffer.from("{}\n01234")))).toBe("{}\n");
    expect(text(stream.push(Buffer.from("56\n")))).toBe("0123456\n");
    expect(text(stream.push(Buffer.from("abcdefghijklm")))).toBe("abcd");
    expect(text(stream.push(Buffer.from("")))).toBe("");
    expect(text(stream.push(Buffer.from("n")))).toBe("e");
    expect(text(stream.end())).toBe("fghijklmn");
  });

  test("reports a range completely with its first byte, even if its end is still held back", () => {
    const stream = masker(findForms([secret, Buffer.from("x".repeat(20))]));
    const first = stream.push(Buffer.from("ab0123456789cdefghijklm"));
    expect(first).toMatchObject({ bytes: Buffer.from("ab**"), ranges: [{ offset: 2, length: 10 }] });
    const rest = stream.end();
    expect(rest).toMatchObject({ bytes: Buffer.from("********cdefghijklm"), ranges: [] });
    expect(stream.count).toBe(1);
  });

  test("returns the chunk itself if there are no secrets", () => {
    const stream = masker(findForms([]));
    const chunk = Buffer.from("anything");
    expect(stream.push(chunk).bytes).toBe(chunk);
    expect(stream.end()).toMatchObject({ bytes: Buffer.alloc(0), ranges: [] });
    expect(stream.count).toBe(0);
  });

  test("does not copy bytes without a secret", () => {
    const chunk = Buffer.from("a line without a secret\n");
    const { bytes } = masker(findForms([secret])).push(chunk);
    expect(bytes.buffer).toBe(chunk.buffer);
    expect(bytes.byteOffset).toBe(chunk.byteOffset);
  });

  test("a secret of one repeated letter in a flood is one range, in little memory", () => {
    const stream = masker(findForms([Buffer.from("a".repeat(8))]));
    const { ranges } = stream.push(Buffer.alloc(1 << 20, "a"));
    expect(ranges).toEqual([{ offset: 0, length: 1 << 20 }]);
    stream.end();
    expect(stream.count).toBe(1);
  });
});

describe("fingerprints", () => {
  const value = "sk-test-0123456789abcdef";
  const forms = secretForms([value]);

  test("contain no secret, and differ each time", () => {
    const json = JSON.stringify(fingerprintsOf(forms));
    for (const form of forms) expect(json).not.toContain(form.toString());
    expect(json).not.toBe(JSON.stringify(fingerprintsOf(forms)));
    expect(JSON.parse(json)).toEqual({
      salt: expect.stringMatching(/^[0-9a-f]{64}$/),
      forms: forms.map(({ length }) => ({ length, tag: expect.any(Number), digest: expect.stringMatching(/^[0-9a-f]{64}$/) })),
    });
  });

  test("find their secrets after a round trip through JSON", () => {
    const find = findFingerprints(JSON.parse(JSON.stringify(fingerprintsOf(forms))));
    expect(mask(find, [Buffer.from(`x ${value} y ${value.slice(0, -1)}!`)]).text).toBe(`x ${"*".repeat(24)} y ${value.slice(0, -1)}!`);
  });

  test.each([
    { salt: "", forms: [] },
    { salt: "zz", forms: [{ length: 1e12, tag: 1, digest: "x" }, { length: 8 }, null, { length: 9, tag: -1, digest: "" }] },
    { forms: "none" },
    {},
  ])("find nothing and throw nothing if damaged: %j", (damaged) => {
    const find = findFingerprints(damaged as never);
    expect(find.longest).toBe(0);
    expect(mask(find, [Buffer.from(value)]).text).toBe(value);
  });
});
