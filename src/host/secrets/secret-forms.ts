/** Shorter values are not secrets and would be found everywhere. */
export const SHORTEST_SECRET = 8;

/**
 * Every spelling of these values that must be hidden: distinct, longest first, without newlines, and at least `SHORTEST_SECRET` bytes long.
 * For a value of several lines, hides its one-line spellings and each line by itself, without the spaces around it. Also in UTF-16. `findEncoded`
 * finds them in other encodings.
 */
export function secretForms(values: Iterable<string>): readonly Buffer[] {
  const forms = new Set<string>();
  const wide: Buffer[] = [];
  for (const value of values) {
    const text = Buffer.from(value).toString(); // half of a surrogate pair cannot be encoded
    if (text.trim().length < SHORTEST_SECRET || /^\**$/.test(text)) continue;
    const lines = text.split("\n").map((line) => line.trim());
    for (const line of lines) for (const form of [line, ...jsonForms(line)]) forms.add(form);
    for (const line of lines.filter(({ length }) => length >= SHORTEST_SECRET)) wide.push(...utf16(line));
    for (const whole of [text, text.trim()]) for (const form of [...jsonForms(whole), ...urlForms(whole)]) forms.add(form);
  }
  return [...[...forms].map((form) => Buffer.from(form)), ...wide]
    .filter((form) => form.length >= SHORTEST_SECRET && !form.includes("\n"))
    .sort((a, b) => b.length - a.length || a.compare(b))
    .filter((form, i, all) => !all[i - 1]?.equals(form));
}

/** Little and big endian. */
function utf16(text: string): Buffer[] {
  const little = Buffer.from(text, "utf16le");
  return [little, Buffer.from(little).swap16()];
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
