import type { McpServer } from "../../pure/pipeline/index.ts";

/** Shorter values are not secrets and would be found everywhere. */
export const SHORTEST_SECRET = 8;

/**
 * Every spelling of these values that must be hidden: distinct, longest first, without newlines, and at least `SHORTEST_SECRET` bytes long.
 * For a value of several lines, hides its one-line spellings and each line by itself, without the spaces around it.
 */
export function secretForms(values: Iterable<string>): readonly Buffer[] {
  const forms = new Set<string>();
  for (const value of values) {
    const text = Buffer.from(value).toString(); // half of a surrogate pair cannot be encoded
    if (text.trim().length < SHORTEST_SECRET || /^\**$/.test(text)) continue;
    const lines = text.split("\n").map((line) => line.trim());
    for (const line of lines) for (const form of [line, ...jsonForms(line)]) forms.add(form);
    for (const whole of [text, text.trim()])
      for (const form of [...jsonForms(whole), ...urlForms(whole), ...base64Forms(whole)]) forms.add(form);
  }
  return [...forms]
    .filter((form) => form.length >= SHORTEST_SECRET && !form.includes("\n"))
    .map((form) => Buffer.from(form))
    .sort((a, b) => b.length - a.length || a.compare(b));
}

/** The variables that hold secrets: those with a name that says so, and those in `extra`. Sorted, without duplicates. */
export function secretNames(env: NodeJS.ProcessEnv, extra: readonly string[]): string[] {
  const named = Object.keys(env).filter((name) => SECRET_NAME.test(name));
  return [...new Set([...named, ...extra])].sort();
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD/i;

/** The secrets of an MCP server: variables with a telltale name, every header, and the part of a header after `Bearer`. */
export function mcpSecrets(server: McpServer): readonly { readonly name: string; readonly value: string }[] {
  const given =
    "command" in server ? Object.entries(server.env).filter(([name]) => SECRET_NAME.test(name)) : Object.entries(server.headers);
  return given.flatMap(([key, value]) => {
    const name = `mcp ${server.name} ${key}`;
    const credentials = /^\w+ +(\S+)$/.exec(value)?.[1];
    return [{ name, value }, ...(credentials === undefined ? [] : [{ name, value: credentials }])].filter((each) => each.value !== "");
  });
}

type Rewrite = (text: string) => string;

const same: Rewrite = (text) => text;
const unicode = (pattern: RegExp, upper: boolean): Rewrite => {
  const digits = (char: string) => char.charCodeAt(0).toString(16).padStart(4, "0");
  return (text) => text.replace(pattern, (char) => `\\u${upper ? digits(char).toUpperCase() : digits(char)}`);
};

/** What JSON writers do beyond `JSON.stringify`: PHP escapes slashes, Python escapes non-ASCII, Go escapes HTML characters. */
const slashes: readonly Rewrite[] = [same, (text) => text.replaceAll("/", "\\/")];
const foreign: readonly Rewrite[] = [same, unicode(/[\u007f-\uffff]/g, false), unicode(/[\u007f-\uffff]/g, true)];
const markup: readonly Rewrite[] = [same, unicode(/[<>&]/g, false), unicode(/[<>&]/g, true)];

/** As part of a JSON string, and of a JSON string inside a JSON string: a tool's JSON output in an agent's JSON line. */
function jsonForms(text: string): string[] {
  return slashes.flatMap((slash) =>
    foreign.flatMap((letters) =>
      markup.flatMap((signs) => {
        const escaped: Rewrite = (value) => signs(letters(slash(JSON.stringify(value).slice(1, -1))));
        return [escaped(text), escaped(escaped(text))];
      }),
    ),
  );
}

/** As browsers, forms, Python and RFC 3986 encode it: they agree only on letters and digits. */
function urlForms(text: string): string[] {
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([["", text]]).toString().slice(1);
  const spaced = [component, strict, strict.replaceAll("%2F", "/"), encodeURI(text)];
  const forms = [...spaced, ...spaced.map((value) => value.replaceAll("%20", "+")), form];
  return [...forms, ...forms.map((value) => value.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/** The widths at which `base64` and `openssl` break lines. */
const WIDTHS = [76, 64];

/** The part of the base64 that does not depend on the text around the secret, which may begin at any of the three bytes of a group. */
function base64Forms(text: string): string[] {
  const forms = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  const wrapped = WIDTHS.flatMap((width) => forms[0]?.match(new RegExp(`.{1,${width}}`, "g")) ?? []);
  const all = [...forms, ...wrapped];
  return [...all, ...all.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}
