import type { McpServer } from "../../pure/pipeline/index.ts";

/** Shorter values are no secrets, and would be found everywhere. */
export const SHORTEST_SECRET = 8;

/**
 * Every spelling of these values that must not be seen, distinct, the longest first. None holds a newline, and none is shorter than
 * `SHORTEST_SECRET` bytes. Of a value of several lines the spellings in one line are hidden, and each line by itself, without the
 * spaces around it.
 */
export function secretForms(values: Iterable<string>): readonly Buffer[] {
  const forms = new Set<string>();
  for (const value of values) {
    const text = Buffer.from(value).toString(); // half a surrogate pair cannot be encoded
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

/** The variables that hold secrets: those whose names say so, and those that were named to us. Sorted, each once. */
export function secretNames(env: NodeJS.ProcessEnv, extra: readonly string[]): string[] {
  const telling = Object.keys(env).filter((name) => TELLING.test(name));
  return [...new Set([...telling, ...extra])].sort();
}

const TELLING = /KEY|TOKEN|SECRET|PASSWORD/i;

/** What a server is given and nobody else may see: variables whose names say so, every header, and what stands behind `Bearer`. */
export function mcpSecrets(server: McpServer): readonly { readonly name: string; readonly value: string }[] {
  const given = "command" in server ? Object.entries(server.env).filter(([name]) => TELLING.test(name)) : Object.entries(server.headers);
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

/** What writers of JSON do beyond `JSON.stringify`: PHP escapes slashes, Python what is not ASCII, Go what means something in HTML. */
const slashes: readonly Rewrite[] = [same, (text) => text.replaceAll("/", "\\/")];
const foreign: readonly Rewrite[] = [same, unicode(/[\u007f-\uffff]/g, false), unicode(/[\u007f-\uffff]/g, true)];
const markup: readonly Rewrite[] = [same, unicode(/[<>&]/g, false), unicode(/[<>&]/g, true)];

/** As a part of a JSON string, and of a JSON string in a JSON string: a tool's JSON output inside an agent's JSON line. */
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

/** As browsers, forms, Python and RFC 3986 have it: they agree on letters and digits only. */
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

/** What of the base64 of any text around it depends on it alone: it may begin at the first, second or third byte of a group. */
function base64Forms(text: string): string[] {
  const forms = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  const wrapped = WIDTHS.flatMap((width) => forms[0]?.match(new RegExp(`.{1,${width}}`, "g")) ?? []);
  const all = [...forms, ...wrapped];
  return [...all, ...all.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}
