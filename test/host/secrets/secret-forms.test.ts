import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSecrets } from "../../../src/host/secrets/find-secrets.ts";
import { secretForms } from "../../../src/host/secrets/secret-forms.ts";
import { mcpSecrets, SECRET_ENDINGS, SECRET_WORDS, secretNames, secretValues } from "../../../src/host/secrets/secret-names.ts";

const formsOf = (...values: string[]) => secretForms(values).map(String);

describe("secretForms", () => {
  test("a plain token: only itself, and in UTF-16", () => {
    const token = "sk-test-0123456789abcdef";
    const little = Buffer.from(token, "utf16le").toString();
    expect(formsOf(token)).toEqual([`\0${little.slice(0, -1)}`, little, token]);
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

  test("any value is found in its own JSON, URL, base64 and hex, whatever is around it", () => {
    const value = fc
      .string({ minLength: 8, maxLength: 60, unit: "grapheme" })
      .filter((text) => /^\S.{6,}\S$/u.test(text) && /[^*]/.test(text));
    fc.assert(
      fc.property(value, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (secret, before, after) => {
        const finder = findSecrets([{ value: secret }]);
        const text = before + secret + after;
        const base64 = Buffer.from(text).toString("base64");
        const spellings = [text, JSON.stringify(text), JSON.stringify(JSON.stringify(text)), encodeURIComponent(text), base64];
        for (const spelling of [
          ...spellings,
          new URLSearchParams([["q", text]]).toString(),
          Buffer.from(text).toString("base64url"),
          Buffer.from(text).toString("hex"),
        ])
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

  test("S2: names that end with _PASS, _PWD, _PAT or _DSN, and URLs with a password, but not the working directory", () => {
    const url = "postgres://app:p%40ss-word-1@db.example/shop";
    const env = {
      DB_PASS: "1",
      MYSQL_PWD: "2",
      GITHUB_PAT: "3",
      SENTRY_DSN: "4",
      DATABASE_URL: url,
      PWD: "/work",
      OLDPWD: "/",
      COMPASS: "5",
    };
    const names = secretNames({ ...env, HOMEPAGE: "https://example.com/a:b@c", DISPATCH: "6" }, []);
    expect(names).toEqual(["DATABASE_URL", "DB_PASS", "GITHUB_PAT", "MYSQL_PWD", "SENTRY_DSN"]);
    expect(secretValues(env, ["DATABASE_URL"]).map(({ value }) => value)).toEqual([url, "p%40ss-word-1", "p@ss-word-1"]);
  });

  test("S2: the list of names is published", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/secrets.md"), "utf8");
    const listed = (names: readonly string[]) => `: ${names.map((name) => `\`${name}\``).join(", ")}.`;
    expect(page).toContain(`Words${listed(SECRET_WORDS)}`);
    expect(page).toContain(`Endings${listed(SECRET_ENDINGS)}`);
  });

  test("S2: the secrets of an MCP server, wherever its configuration has them", () => {
    const valuesOf = (server: Parameters<typeof mcpSecrets>[0]) => mcpSecrets(server).map(({ value }) => value);
    const args = [
      "--api-key",
      "argument-1",
      "--token=argument-2",
      "-v",
      "GITHUB_PAT=argument-3",
      "https://u:argument-4@x/?api_key=argument-5",
    ];
    const env = { API_TOKEN: "variable-1", LEVEL: "debug", DATABASE_URL: "redis://:variable-2@x" };
    expect(valuesOf({ name: "a", command: "run", args, env }).sort()).toEqual([
      "argument-1",
      "argument-2",
      "argument-3",
      "argument-4",
      "argument-5",
      "redis://:variable-2@x",
      "variable-1",
      "variable-2",
    ]);
    const headers = { Authorization: "Bearer header-1", "X-Team": "header-2" };
    const url = "https://u:pass-word@x/mcp?token=a%2Fb&q=open";
    expect(valuesOf({ name: "b", type: "http", url, headers })).toEqual(
      expect.arrayContaining(["Bearer header-1", "header-1", "header-2", "pass-word", "a%2Fb", "a/b"]),
    );
    expect(valuesOf({ name: "b", type: "http", url, headers })).not.toContain("open");
  });
});
