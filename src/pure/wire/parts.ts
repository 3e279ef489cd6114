// A request body as parts: what it shares with earlier requests is a number, the rest is text. Joined again it is the same text, byte for
// byte: the JSON is cut, not parsed and written anew.

/** A text, the number of a piece, a run of numbers, or pieces with commas between them. */
export type Part = string | PieceRun | { readonly list: readonly PieceRun[] };
export type PieceRun = number | readonly [first: number, last: number];

/** Returns the number of a piece. The same text has the same number. */
export type Store = (text: string, parts: readonly Part[]) => number;

/** Of lists whose elements are shorter on average, only the long elements become pieces. */
const SHORTEST_ELEMENT = 48;
/** Values and texts that are shorter stay where they are. */
const SHORTEST_VALUE = 256;
const SHORTEST_TEXT = 1024;

/** Cuts a body into parts. A body that is not a JSON object is one piece, or one text if it is short. */
export function partsOf(body: string, store: Store): readonly Part[] {
  const members = membersOf(body);
  if (members === undefined) return body.length < SHORTEST_VALUE ? [body] : [store(body, [body])];
  const parts: Part[] = [];
  let done = 0;
  const add = (start: number, end: number, part: Part) => {
    if (start > done) parts.push(body.slice(done, start));
    parts.push(part);
    done = end;
  };
  for (const { start, end } of members) {
    const elements = body[start] === "[" ? elementsOf(body, start, end) : undefined;
    const first = elements?.[0];
    const last = elements?.at(-1);
    if (elements !== undefined && first !== undefined && last !== undefined && end - start >= SHORTEST_VALUE) {
      if (end - start >= SHORTEST_ELEMENT * elements.length) add(first.start, last.end, { list: runsOf(grouped(body, elements, store)) });
      else for (const each of elements) if (each.end - each.start >= SHORTEST_ELEMENT) add(each.start, each.end, piece(body, each, store));
    } else if (end - start >= SHORTEST_VALUE) add(start, end, piece(body, { start, end }, store));
  }
  if (done < body.length) parts.push(body.slice(done));
  return parts;
}

export function textOfParts(parts: readonly Part[], pieceAt: (number: number) => string): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      if (typeof part === "number" || isRun(part)) return numbersOf(part).map(pieceAt).join("");
      return part.list.flatMap(numbersOf).map(pieceAt).join(",");
    })
    .join("");
}

function isRun(part: Exclude<Part, string | number>): part is readonly [number, number] {
  return Array.isArray(part);
}

function numbersOf(run: PieceRun): readonly number[] {
  if (typeof run === "number") return [run];
  const [first, last] = run;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

/** The elements that a group has. */
const GROUP = 32;

/** Pieces of a list. Full groups of elements are pieces, too: a long conversation is a short list of them. */
function grouped(body: string, elements: readonly Span[], store: Store): readonly number[] {
  const full = elements.length - (elements.length % GROUP);
  const groups = Array.from({ length: full / GROUP }, (_, i) => elements.slice(i * GROUP, (i + 1) * GROUP));
  const numbers = groups.map((group) => {
    const [first, last] = [group[0], group.at(-1)];
    const parts = [{ list: runsOf(group.map((each) => piece(body, each, store))) }];
    return store(body.slice(first?.start, last?.end), parts);
  });
  return [...numbers, ...elements.slice(full).map((each) => piece(body, each, store))];
}

/** Numbers that follow each other as one run. */
function runsOf(numbers: readonly number[]): readonly PieceRun[] {
  const runs: [number, number][] = [];
  for (const each of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] + 1 === each) last[1] = each;
    else runs.push([each, each]);
  }
  return runs.map(([first, last]) => (first === last ? first : [first, last]));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Long texts inside a piece are pieces too: a client that marks its last message changes only what is around the text. */
function piece(body: string, { start, end }: Span, store: Store): number {
  const text = body.slice(start, end);
  if (text.length < SHORTEST_TEXT) return store(text, [text]);
  const parts: Part[] = [];
  let done = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    const after = stringEnd(text, at);
    if (after === undefined) break;
    const inner = text.slice(at + 1, after - 1);
    if (inner.length >= SHORTEST_TEXT) {
      parts.push(text.slice(done, at + 1), store(inner, [inner]));
      done = after - 1;
    }
    at = after;
  }
  return store(text, done === 0 ? [text] : [...parts, text.slice(done)]);
}

// ── reading JSON without building it ────────────────────────────────────────────────────────────────────────────────

/** The values of an object; undefined if the text is not one. */
function membersOf(text: string): readonly Span[] | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== "{") return undefined;
  const found: Span[] = [];
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const name = stringEnd(text, at);
    if (name === undefined) return undefined;
    at = skipSpace(text, name);
    if (text[at] !== ":") return undefined;
    const start = skipSpace(text, at + 1);
    const end = valueEnd(text, start);
    if (end === undefined) return undefined;
    found.push({ start, end });
    at = skipSpace(text, end);
    if (text[at] !== ",") break;
    at = skipSpace(text, at + 1);
  }
  return text[at] === "}" ? found : undefined;
}

/** The elements of a list with nothing but commas between them; undefined if there is more. */
function elementsOf(text: string, start: number, end: number): readonly Span[] | undefined {
  const found: Span[] = [];
  for (let at = start + 1; at < end - 1; ) {
    const after = valueEnd(text, at);
    if (after === undefined || after === at) return undefined;
    found.push({ start: at, end: after });
    if (after === end - 1) return found;
    if (text[after] !== ",") return undefined;
    at = after + 1;
  }
  return undefined;
}

function skipSpace(text: string, at: number): number {
  let i = at;
  while (text[i] === " " || text[i] === "\n" || text[i] === "\r" || text[i] === "\t") i++;
  return i;
}

/** The place after a value; undefined if it does not end. */
function valueEnd(text: string, start: number): number | undefined {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== "{" && first !== "[") {
    let at = start;
    while (at < text.length && !/[,\]}\s]/.test(text[at] ?? "")) at++;
    return at === start ? undefined : at;
  }
  let depth = 0;
  const marks = /["{}[\]]/g;
  marks.lastIndex = start;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const [letter] = mark;
    if (letter === '"') {
      const after = stringEnd(text, mark.index);
      if (after === undefined) return undefined;
      marks.lastIndex = after;
    } else if (letter === "{" || letter === "[") depth++;
    else if (--depth === 0) return mark.index + 1;
  }
  return undefined;
}

function stringEnd(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return undefined;
}
