import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findForms } from "../../../src/host/secrets/masker.ts";
import { secretForms, secretNames } from "../../../src/host/secrets/secret-forms.ts";

const formsOf = (...values: string[]) => secretForms(values).map(String);

describe("secretForms", () => {
  test("a plain token: itself, and its base64 at any offset", () => {
    const token = "sk-test-0123456789abcdef";
    const base64 = (before: string, after: string) => Buffer.from(before + token + after).toString("base64");
    const forms = formsOf(token);
    expect(forms).toContain(token);
    expect(forms).toHaveLength(4);
    for (const before of ["", "a", "ab", "abc", "user:", "é"]) {
      for (const after of ["", "\n", "zz", "zzz"]) expect(forms.filter((form) => base64(before, after).includes(form))).toHaveLength(1);
    }
  });

  test("too short, blank or already masked: none", () => {
    expect(formsOf("", "1234567", "  1234567  ", "        ", "\n".repeat(9), "********")).toEqual([]);
    expect(formsOf("12345678")).toContain("12345678");
  });

  test("in JSON: escaped once and twice, with slashes, letters and signs as JSON writers escape them", () => {
    const secret = 'a"b\\c/é<&\u{1f600}tail';
    const once = JSON.stringify(secret).slice(1, -1);
    const forms = formsOf(secret);
    expect(forms).toEqual(
      expect.arrayContaining([
        secret,
        once,
        JSON.stringify(once).slice(1, -1),
        once.replace("/", "\\/"),
        'a\\"b\\\\c/\\u00e9<&\\ud83d\\ude00tail', // Python
        'a\\"b\\\\c\\/\\u00e9<&\\ud83d\\ude00tail', // PHP
        'a\\"b\\\\c/\\u00E9<&\\uD83D\\uDE00tail',
        'a\\"b\\\\c/é\\u003c\\u0026\u{1f600}tail', // Go
      ]),
    );
  });

  test("in a URL: as browsers, forms and Python encode it, in either case", () => {
    const secret = "pä ss/w*rd+1~";
    expect(formsOf(secret)).toEqual(
      expect.arrayContaining([
        "p%C3%A4%20ss%2Fw*rd%2B1~",
        "p%C3%A4+ss%2Fw*rd%2B1~",
        "p%C3%A4+ss%2Fw*rd%2B1%7E", // URLSearchParams
        "p%C3%A4%20ss/w%2Ard%2B1~", // Python's quote
        "p%c3%a4%20ss%2fw*rd%2b1~",
      ]),
    );
  });

  test("in base64url, and in base64 wrapped as the tools wrap it", () => {
    expect(formsOf("\u00ff\u00fe>>>???~~~")).toEqual(expect.arrayContaining(["w7/Dvj4+Pj8/P35+f", "w7_Dvj4-Pj8_P35-f"]));
    const long = "0123456789abcdefghijklmnopqrstuvwxyz".repeat(4);
    const find = findForms(secretForms([long]));
    for (const width of [64, 76]) {
      const lines =
        Buffer.from(long)
          .toString("base64")
          .match(new RegExp(`.{1,${width}}`, "g")) ?? [];
      expect(lines.length).toBeGreaterThan(2);
      for (const line of lines) expect(find.find(Buffer.from(line))).toMatchObject([{ start: 0 }]);
    }
  });

  test("several lines: each line, and the whole in its one-line spellings", () => {
    const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\n  short\nhkiG9w0B==\r\n-----END KEY-----\n";
    const forms = formsOf(key);
    expect(forms).toEqual(expect.arrayContaining(["-----BEGIN KEY-----", "MIIEvQIBADANBgkq", "hkiG9w0B==", "-----END KEY-----"]));
    expect(forms).toEqual(expect.arrayContaining([JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]));
    expect(forms.filter((form) => form.includes("\n") || form === "short")).toEqual([]);
  });

  test("a trailing newline does not hide a value", () => {
    const forms = formsOf("token with/signs\n");
    expect(forms).toEqual(expect.arrayContaining(["token with/signs", "token%20with%2Fsigns"]));
    expect(forms.some((form) => Buffer.from("token with/signs").toString("base64").startsWith(form))).toBe(true);
  });

  test("any values: distinct, longest first, at least eight bytes, on one line", () => {
    const value = fc.string({ unit: "binary", maxLength: 40 });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (values) => {
        const forms = secretForms(values);
        expect(new Set(forms.map((form) => form.toString("latin1"))).size).toBe(forms.length);
        const lengths = forms.map(({ length }) => length);
        expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
        expect(forms.filter((form) => form.length < 8 || form.includes("\n"))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test("any value is found in its own JSON, URL and base64, whatever is around it", () => {
    const value = fc
      .string({ minLength: 8, maxLength: 60, unit: "grapheme" })
      .filter((text) => /^\S.{6,}\S$/u.test(text) && /[^*]/.test(text));
    fc.assert(
      fc.property(value, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (secret, before, after) => {
        const finder = findForms(secretForms([secret]));
        const text = before + secret + after;
        const base64 = Buffer.from(text).toString("base64");
        const spellings = [text, JSON.stringify(text), JSON.stringify(JSON.stringify(text)), encodeURIComponent(text), base64];
        for (const spelling of [...spellings, new URLSearchParams([["q", text]]).toString(), Buffer.from(text).toString("base64url")])
          expect(finder.find(Buffer.from(spelling)).length, spelling).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("secretNames", () => {
  test("the variables with a telltale name, and those that are listed", () => {
    const env = { API_KEY: "1", github_token: "2", Secret_x: "3", DB_PASSWORD: "4", PATH: "5", HOME: "6", MONKEYS: "7" };
    expect(secretNames(env, ["DATABASE_URL", "API_KEY"])).toEqual([
      "API_KEY",
      "DATABASE_URL",
      "DB_PASSWORD",
      "MONKEYS",
      "Secret_x",
      "github_token",
    ]);
    expect(secretNames({}, [])).toEqual([]);
  });
});
