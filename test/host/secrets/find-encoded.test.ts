import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findFingerprints, fingerprintsOf } from "../../../src/host/recording/format/fingerprints.ts";
import type { FindSecrets } from "../../../src/host/secrets/find-forms.ts";
import { findSecrets } from "../../../src/host/secrets/find-secrets.ts";
import { masker } from "../../../src/host/secrets/masker.ts";
import { secretForms } from "../../../src/host/secrets/secret-forms.ts";
import { runs } from "../../support/full.ts";

const SECRET = "sk/test+0123456789?abcdef";
const finders = [findSecrets([{ value: SECRET }]), findFingerprints(fingerprintsOf(secretForms([SECRET])))];

function mask(find: FindSecrets, pieces: readonly Buffer[]): string {
  const stream = masker(find);
  return Buffer.concat([...pieces.map((piece) => Buffer.from(stream.push(Buffer.from(piece)).bytes)), stream.end().bytes]).toString();
}

const wrapped = (text: string, width: number, end = "\n") => text.match(new RegExp(`.{1,${width}}`, "g"))?.join(end) ?? "";
/** Everything that can still be decoded: the base64 or hex without its line breaks, at every offset. */
function decodings(text: string): string {
  const signs = text
    .replaceAll(/\\+[nr]|%0[AD]|[\r\n]/gi, "")
    .replaceAll("\\/", "/")
    .replaceAll("%2B", "+")
    .replaceAll("%2F", "/");
  const shifted = [0, 1, 2, 3].map((skip) => Buffer.from(signs.slice(skip), "base64").toString("latin1"));
  return [...shifted, Buffer.from(signs.replaceAll("*", "0"), "hex").toString("latin1")].join("|");
}

describe("S2: env | base64", () => {
  const environment = (before: number) => `A=${"x".repeat(before)}\nCANARY_TOKEN=${SECRET}\nZ=${"y".repeat(90)}\n`;
  const spellings: readonly [name: string, (bytes: Buffer) => string][] = [
    ["base64", (bytes) => wrapped(bytes.toString("base64"), 76)],
    ["openssl base64", (bytes) => wrapped(bytes.toString("base64"), 64)],
    ["base64 with \\r\\n", (bytes) => wrapped(bytes.toString("base64"), 76, "\r\n")],
    ["base64 in JSON", (bytes) => JSON.stringify(wrapped(bytes.toString("base64"), 76)).slice(1, -1)],
    ["base64 in JSON in JSON", (bytes) => JSON.stringify(JSON.stringify(wrapped(bytes.toString("base64"), 76)).slice(1, -1)).slice(1, -1)],
    ["base64 in a URL", (bytes) => encodeURIComponent(wrapped(bytes.toString("base64"), 76))],
    ["base64 by PHP", (bytes) => bytes.toString("base64").replaceAll("/", "\\/")],
    ["base64url", (bytes) => bytes.toString("base64url")],
    ["xxd -p", (bytes) => wrapped(bytes.toString("hex"), 60)],
    ["hex", (bytes) => bytes.toString("hex").toUpperCase()],
  ];

  test.each(spellings)("%s: masked wherever the line breaks are", (_, spelled) => {
    for (let before = 0; before < 80; before++) {
      const text = spelled(Buffer.from(environment(before)));
      if (!text.includes("%")) expect(decodings(text)).toContain(SECRET);
      for (const find of finders) {
        const masked = mask(find, [Buffer.from(`${text}\n`)]);
        expect(masked).toHaveLength(text.length + 1);
        expect(masked.split("\n").length).toBe(text.split("\n").length + 1);
        for (const part of [SECRET.slice(0, 12), SECRET.slice(-12)]) expect(decodings(masked)).not.toContain(part);
        expect(decodings(masked)).toContain("yyyyyyyy");
      }
    }
  });

  test("chunk borders make no difference", () => {
    const text = [0, 20, 40, 56].map((before) => `${wrapped(Buffer.from(environment(before)).toString("base64"), 76)}\n{"a":1}\n`).join("");
    const input = Buffer.from(`${text}${wrapped(Buffer.from(environment(9)).toString("hex"), 60)}`);
    const whole = finders.map((find) => mask(find, [input]));
    expect(whole[0]).toBe(whole[1]);
    fc.assert(
      fc.property(fc.array(fc.nat(input.length), { maxLength: 30 }), fc.constantFrom(...finders), (cuts, find) => {
        const points = [0, ...cuts.sort((a, b) => a - b), input.length];
        const pieces = points.slice(1).map((end, index) => input.subarray(points[index], end));
        return mask(find, pieces) === whole[0];
      }),
      { numRuns: runs(300, 5000) },
    );
    expect(
      mask(
        finders[0] as FindSecrets,
        Array.from(input, (byte) => Buffer.of(byte)),
      ),
    ).toBe(whole[0]);
  });
});

test("a line is released with its newline, unless it is full of base64", () => {
  const stream = masker(finders[0] as FindSecrets);
  const released = (text: string) => Buffer.from(stream.push(Buffer.from(text)).bytes).toString();
  expect(released('{"type":"text"}\nshort\n')).toBe('{"type":"text"}\nshort\n');
  expect(released(`${"A".repeat(76)}\n`)).toBe("");
  expect(released("next\n")).toBe(`${"A".repeat(76)}\nnext\n`);
});
