import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findFingerprints, fingerprintsOf } from "../../../src/host/recording/format/fingerprints.ts";
import { findEncoded } from "../../../src/host/secrets/find-encoded.ts";
import { type FindSecrets, findForms } from "../../../src/host/secrets/find-forms.ts";
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

describe("S2: spellings that no writer needs, and encodings", () => {
  const every = (spell: (char: string, code: number) => string) => Array.from(SECRET, (char) => spell(char, char.charCodeAt(0))).join("");
  const hex = (code: number) => code.toString(16).padStart(2, "0");
  const bytes = Array.from(Buffer.from(SECRET), hex);
  const base32 = (text: string) => {
    const bits = Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, "0")).join("");
    return Array.from(
      bits.match(/.{1,5}/g) ?? [],
      (five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)],
    ).join("");
  };
  const spellings: Readonly<Record<string, string>> = {
    "escapes of JSON": every((_, code) => `\\u00${hex(code)}`),
    "one escape of JSON": SECRET.replace("t", "\\u0074"),
    "escapes of JSON in JSON": JSON.stringify(every((_, code) => `\\u00${hex(code).toUpperCase()}`)).slice(1, -1),
    "escapes of C": every((_, code) => `\\x${hex(code)}`),
    "decimal HTML": every((_, code) => `&#${code};`),
    "hexadecimal HTML": every((_, code) => `&#x${hex(code)};`),
    "a URL in which everything is encoded": every((_, code) => `%${hex(code)}`),
    "such a URL in HTML": every((_, code) => `%${hex(code)}`).replaceAll("%", "&#37;"),
    "spaced hex": bytes.join(" "),
    "hex with colons": bytes.join(":").toUpperCase(),
    "a list of bytes": bytes.map((byte) => `0x${byte}`).join(", "),
    "UTF-16": Buffer.from(SECRET, "utf16le").toString(),
    "UTF-16 in JSON": JSON.stringify(Buffer.from(SECRET, "utf16le").swap16().toString()),
    "UTF-16 in base64": Buffer.from(`x${SECRET}`, "utf16le").toString("base64"),
    ...Object.fromEntries([0, 1, 2, 3, 4].map((before) => [`base32, ${before}`, base32("-".repeat(before) + SECRET)])),
    "base32 in lower case": base32(`1${SECRET}`).toLowerCase(),
  };

  test.each(Object.entries(spellings))("%s", (_, spelled) => {
    for (const find of finders) {
      const out = mask(find, [Buffer.from(`{"a":"<<${spelled}>>","b":"%20&amp;\\u001b 12:34:56"}\n`)]);
      const kept = out.replace(/^\{"a":"<</, "").replace(/>>","b":"%20&amp;\\u001b 12:34:56"\}\n$/, "");
      expect(kept).toHaveLength(spelled.length);
      expect(kept.replace(/^.{0,9}?(?=\*)|(?<=\*).{0,9}$/g, "")).toMatch(/^\*+$/);
    }
  });

  test("HTML for the signs that it must spell", () => {
    const value = `a<b>&"c"'d'-0123`;
    const html = value
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;");
    expect(mask(findSecrets([{ value }]), [Buffer.from(`<p>${html}</p>`)])).toBe(`<p>${"*".repeat(html.length)}</p>`);
  });

  test("any bytes: nothing throws, and nothing is masked by chance", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300 }),
        fc.array(fc.constantFrom("\\u00", "&#", "&amp;", "%4", "\\x", "7f ", ";", "\n"), { maxLength: 30 }),
        (text, signs) => {
          const input = `${text}${signs.join("")}`;
          expect(mask(finders[0] as FindSecrets, [Buffer.from(input)])).toBe(Buffer.from(input).toString());
        },
      ),
      { numRuns: runs(300, 20_000) },
    );
  });
});

test("a search for letters finds what decoding everything finds, whatever is around it", () => {
  const values = [SECRET, "p\u00e4sswort-\u20ac", "01234567", "a".repeat(70)];
  const plain = findForms(secretForms(values));
  const [quick, thorough] = [findEncoded(plain), findEncoded({ longest: plain.longest, find: (bytes) => plain.find(bytes) })];
  const encodings: readonly ((bytes: Buffer) => string)[] = [
    (bytes) => bytes.toString("base64"),
    (bytes) => bytes.toString("base64url"),
    (bytes) => bytes.toString("hex"),
    (bytes) => bytes.toString("hex").toUpperCase(),
    base32,
    (bytes) => base32(bytes).toLowerCase(),
    (bytes) => bytes.toString("hex").replaceAll(/..(?=.)/g, "$& "),
    (bytes) => bytes.toString("latin1").replaceAll(/[a-z]/g, (letter) => `&#${letter.charCodeAt(0)};`),
  ];
  const breaks = ["", "\n", "\r\n", "\\n", "\\\\n", "\\\\\\n", "%0A", "%0d%0a"];
  const part = fc
    .tuple(
      fc.constantFrom(...values, "nothing to hide in this text"),
      fc.constantFrom(...encodings),
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom(...breaks),
      fc.integer({ min: 1, max: 80 }),
      fc.string({ maxLength: 12 }),
    )
    .map(([value, encode, before, end, width, text]) => {
      const spelled = encode(Buffer.from("Z".repeat(before) + value + text));
      return `${text}${wrapped(spelled, width, end).replaceAll("/", before % 2 === 0 ? "/" : "\\/")}${text}`;
    });
  let found = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.constantFrom(" ", "\n", '"', "\\", "x"), (parts, between) => {
      const bytes = Buffer.from(parts.join(between));
      const places = quick.find(bytes);
      expect(places).toEqual(thorough.find(bytes));
      found += places.length;
    }),
    { numRuns: runs(500, 50_000) },
  );
  expect(found).toBeGreaterThan(100);
});

function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five, 2)]).join("");
}
