import { generator, pick } from "../../support/random.ts";

/** The format of the valid inputs. It decides which parts can be replaced by others. */
export type Form = "json" | "lines" | "text";

interface Span {
  readonly start: number;
  readonly end: number;
  readonly isKey: boolean;
}

interface Seed {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** One input in 1,000 has up to 300 kB, one in 50,000 up to 8 MB: the others are small, so that a million take minutes. */
export const MEDIUM = { every: 1000, least: 10_000, most: 300_000 };
const LARGE = { every: 50_000, least: 1_000_000, most: 8_000_000 };

/** Inputs for one parser. Each depends only on the seed, the parser's name and its index, so that one of a million can be made again. */
export function inputsOf(name: string, form: Form, valid: readonly string[], seed: number): (index: number) => string {
  const seeds = valid.map((text) => ({ text, spans: spansOf(text, form) })).sort((a, b) => a.text.length - b.text.length);
  const strange = form === "text" ? STRANGE_TEXTS : STRANGE_VALUES;
  return (index) => {
    const random = generator(mixed(seed, name, index));
    random();
    const size = [LARGE, MEDIUM].find(({ every }) => index % every === every - 1);
    if (size !== undefined) return grown(pick(seeds, random), form, size.least + (random() % (size.most - size.least)), random);
    const kind = random() % 20;
    if (kind === 0) return noise(random() % 300, random);
    if (kind === 1) return pick(seeds, random).text; // valid: the parser must get this far
    const text = replaced(shortish(seeds, random), seeds, strange, random);
    return random() % 3 === 0 ? damaged(text, pick(seeds, random).text, random) : text;
  };
}

/** Short inputs are as good as long ones, and cost less: half of the changed ones come from the shortest quarter. */
function shortish(seeds: readonly Seed[], random: () => number): Seed {
  return pick(random() % 2 === 0 ? seeds : seeds.slice(0, Math.ceil(seeds.length / 4)), random);
}

function mixed(seed: number, name: string, index: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15) ^ index, 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

// ── strange values ───────────────────────────────────────────────────────────────────────────────────────────────────

const DEEP = ["[".repeat(300) + "]".repeat(300), `${'{"a":'.repeat(200)}1${"}".repeat(200)}`, "[".repeat(5000) + "]".repeat(5000)];

const STRANGE_TEXTS: readonly string[] = [
  ["", " ", "\n", "\r\n", "\r", "\t", "\0", "\u0001", "\u001b[2J", "\u0085", "\u009b", "\u2028", "\ufeff", "\ufffd", "\uffff"],
  ["\ud800", "\udc00", "\u{1f600}", "\u202e", "\xff", "\xc3", "\xed\xa0\x80", "\xf5\x80\x80\x80"],
  ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "length", "undefined", "NaN", "Infinity"],
  ["0", "-0", "-1", "1e999", "99999999999999999999", "9007199254740993", "0x10", "1_000", "4294967296", "00", "1.", ".5", "-"],
  ["'", '"', "`", "\\", "\\\\", "$", "$(", "${", "$((", "(", ")", "{", "}", "[", "]", "<", ">", "<<", "<<<", ">(", "|", "||", "&", "&&"],
  [";", ";;", "*", "**", "?", "!", "#", "~", "%", "^", "=", "==", "+", "-", "--", ":", "::", ",", ".", "..", "../..", "/", "//", "@", "@@"],
  ["&a", "*a", "!!binary", "!!js/function", "<<:", "---", "...", "? ", "- ", "|-", ">+", "[[a]]", "'''", '"""', "1979-05-27T07:32:00Z"],
  ["\\ud800", "\\u0000", "\\x", "\\8", "%00", "%", "%ff", "&#0;", "diff --git ", "@@ -1,9 +1,9 @@", "*** End Patch", "EOF"],
].flat();

const STRANGE_VALUES: readonly string[] = [
  ["null", "true", "false", "0", "-0", "-1", "1.5", "1e308", "-1e308", "1e999", "5e-324", "9007199254740993", "18446744073709551616"],
  ['""', '" "', '"text"', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\n\\r\\u2028"', '"\\u001b[2J"', '"../../x"', '"/"', '"1e999"'],
  ['"__proto__"', '"constructor"', '"toString"', '"null"', '"true"', '"[]"', '"{}"', '"9999-99-99T99:99:99Z"', '"-1"', '"NaN"'],
  ["[]", "{}", "[null]", "[[]]", "[{}]", "[0]", '[""]', '["a",1,null]', '{"type":"text"}', '{"type":null}', '{"":""}', '{"length":1e9}'],
  ['{"__proto__":{"type":"text"}}', '{"__proto__":null}', '{"toString":1,"valueOf":1}', '[{"toString":null,"valueOf":null}]'],
  ['{"constructor":{"prototype":{}}}', '{"hasOwnProperty":1}', '{"then":{}}', '{"toJSON":1}', '{"0":1,"length":4294967296}'],
  DEEP,
].flat();

const KEYS = ["", "__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "length", "then", "toJSON", "0", "type", "\\ud800"];

// ── small changes ────────────────────────────────────────────────────────────────────────────────────────────────────

/** One to three values of a valid input are replaced, removed, repeated, wrapped, or taken from another place. */
function replaced(seed: Seed, seeds: readonly Seed[], strange: readonly string[], random: () => number): string {
  const chosen = Array.from({ length: 1 + (random() % 3) }, () => seed.spans[random() % seed.spans.length]).filter(
    (span) => span !== undefined,
  );
  let text = "";
  let at = 0;
  for (const { start, end, isKey } of chosen.sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    text += seed.text.slice(at, start);
    const old = seed.text.slice(start, end);
    text += isKey && random() % 2 === 0 ? `"${pick(KEYS, random)}"` : instead(old, seeds, strange, random);
    at = end;
  }
  return text + seed.text.slice(at);
}

function instead(old: string, seeds: readonly Seed[], strange: readonly string[], random: () => number): string {
  switch (random() % 10) {
    case 0:
      return "";
    case 1:
      return `${old},${old}`;
    case 2:
      return `[${old}]`;
    case 3:
      return `{"x":${old}}`;
    case 4:
      return JSON.stringify(old);
    case 5: {
      const other = pick(seeds, random);
      const span = other.spans[random() % other.spans.length];
      return span === undefined ? "" : other.text.slice(span.start, span.end);
    }
    default:
      return pick(strange, random);
  }
}

/** Without regard to the format: a bit flipped, a piece cut, repeated, moved, inserted, or taken from another input. */
function damaged(text: string, other: string, random: () => number): string {
  const at = text.length === 0 ? 0 : random() % text.length;
  const to = Math.min(text.length, at + (random() % 40));
  switch (random() % 8) {
    case 0:
      return text.slice(0, at) + String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << (random() % 8))) + text.slice(at + 1);
    case 1:
      return text.slice(0, at);
    case 2:
      return text.slice(0, at) + text.slice(to);
    case 3:
      return text.slice(0, to) + text.slice(at, to).repeat(1 + (random() % 20)) + text.slice(to);
    case 4:
      return text.slice(0, at) + pick(STRANGE_TEXTS, random) + text.slice(at);
    case 5:
      return text.slice(0, at) + other.slice(other.length === 0 ? 0 : random() % other.length);
    case 6:
      return text.slice(at) + text.slice(0, at);
    default:
      return `${text}\n${other}`;
  }
}

function noise(length: number, random: () => number): string {
  const limit = pick([0x80, 0x100, 0x10000], random);
  let text = "";
  while (text.length < length) text += random() % 4 === 0 ? pick(STRANGE_TEXTS, random) || " " : String.fromCharCode(random() % limit);
  return text;
}

// ── large inputs ─────────────────────────────────────────────────────────────────────────────────────────────────────

const REPEATED = [
  " ",
  "\n",
  "\t",
  "a",
  "0",
  "-",
  "*",
  "`",
  "```\n",
  '"',
  "'",
  "\\",
  "(",
  "[",
  "{",
  "$(",
  "<",
  "#",
  "/",
  "..",
  "a,",
  "a\n",
  "a ",
  "{}\n",
];

/** A valid input in which one place has become very large: nested, long, numerous, or repeated. */
function grown({ text, spans }: Seed, form: Form, size: number, random: () => number): string {
  const { start, end } = spans[random() % spans.length] ?? { start: 0, end: text.length };
  const place = (value: string) => text.slice(0, start) + value + text.slice(end);
  const times = (piece: string) => piece.repeat(Math.ceil(size / Math.max(1, piece.length)));
  const piece = pick(random() % 2 === 0 ? REPEATED : STRANGE_TEXTS.slice(1), random);
  switch (random() % (form === "text" ? 6 : 12)) {
    case 0:
      return times(`${text}\n`);
    case 1:
      return times(piece);
    case 2:
      return text.slice(0, start) + times(text.slice(start, end) || piece) + text.slice(end);
    case 3:
      return place(times(piece));
    case 4:
      return times(noise(1000, random) || " ");
    case 5:
      return place(times(noise(300, random) || " "));
    case 6:
      return place("[".repeat(size / 2) + "]".repeat(size / 2));
    case 7:
      return place('{"a":'.repeat(size / 5));
    case 8:
      return place(JSON.stringify(times(piece)));
    case 9:
      return place(`[${times("0,")}0]`);
    case 10:
      return place(`{${Array.from({ length: Math.ceil(size / 12) }, (_, i) => `"k${i}":0`).join(",")}}`);
    default:
      return place(`[${times(`${text.slice(start, end).slice(0, 1000) || "0"},`)}0]`);
  }
}

// ── where values are ─────────────────────────────────────────────────────────────────────────────────────────────────

function spansOf(text: string, form: Form): readonly Span[] {
  if (form === "text")
    return [...text.matchAll(/[\p{L}\p{N}_]+|[^\S\n]+|\n|./gsu)].map(({ index, 0: token }) => spanOf(index, token.length));
  if (form === "json") return jsonSpans(text, 0);
  let offset = 0;
  return text.split("\n").flatMap((line) => {
    const spans = jsonSpans(line, offset);
    const whole = spanOf(offset, line.length);
    offset += line.length + 1;
    return [whole, ...spans];
  });
}

function spanOf(start: number, length: number, isKey = false): Span {
  return { start, end: start + length, isKey };
}

/** Every value and every key of a JSON text, containers too. Of other text, each token. */
function jsonSpans(text: string, offset: number): Span[] {
  const spans: Span[] = [];
  const open: number[] = [];
  for (const { index, 0: token } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s,:[\]{}"]+/gs)) {
    if (token === "{" || token === "[") open.push(index);
    else if (token === "}" || token === "]") {
      const start = open.pop() ?? 0;
      spans.push(spanOf(offset + start, index + 1 - start));
    } else spans.push(spanOf(offset + index, token.length, /^\s*:/.test(text.slice(index + token.length, index + token.length + 8))));
  }
  return spans;
}
