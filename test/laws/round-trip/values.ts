import { pick } from "../../support/random.ts";

/** Random values for the fields of a JSON Schema: any content, up to `longest` characters, and any count. */
export interface Values {
  readonly of: (schema: Schema) => unknown;
  readonly text: (length?: number) => string;
  readonly bytes: () => Buffer;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
}

/** Each gives one piece of a text: everything that a writer, a reader, a line or a terminal could take for something else. */
const PIECES: readonly ((random: () => number) => string)[] = [
  () => "plain text ",
  () => '"\\/\b\f\n\r\t',
  () => "\r",
  () => "\u2028\u2029\u0085\ufeff",
  (random) => String.fromCharCode(random() % 0x20),
  (random) => String.fromCharCode(0x7f + (random() % 0x21)),
  (random) => String.fromCharCode(0xd800 + (random() % 0x800)), // half a pair
  (random) => String.fromCodePoint(0x10000 + (random() % 0x100000)),
  (random) => String.fromCharCode(random() % 0xd800),
  (random) => String.fromCharCode(0xe000 + (random() % 0x2000)),
  () => "\ufffd\ufffe\uffff",
  () => '","hash":"0"}\n{"seq":1,"type":"exit"}\n',
  () => "__proto__",
  () => "\u001b]8;;http://x\u0007\u202e",
];

const NAMES = ["a", "__proto__", "constructor", "0", "-1", "toString", "", "\ud800", "type", "hash", "seq"];
const NUMBERS = [0, -0, 1, -1, 0.1, 1e-7, 1e21, 2 ** 31, 2 ** 53 - 1, Number.MIN_VALUE, Number.MAX_VALUE];
/** The lengths of texts: around the sizes of buffers, and at the ends. With `isLarge` most are the longest. */
const LENGTHS = [0, 1, 7, 100, 4096, 65_535, 65_536, 262_143, 262_144, 262_145, 1_048_577, 3_000_000, 8_388_608];

export function values(random: () => number, parts: ReadonlyMap<string, object>, longest: number, isLarge = false): Values {
  const lengths = LENGTHS.filter((length) => length <= longest);
  const usual = isLarge ? ([-1] as const) : ([0, 4] as const);
  let room = longest; // for one value, whatever it consists of

  function text(length = pick(random() % 4 === 0 ? lengths : lengths.slice(...usual), random)): string {
    const wanted = Math.min(length, room);
    let piece = "";
    while (piece.length < Math.min(wanted, 500)) piece += pick(PIECES, random)(random);
    room -= wanted;
    return piece.repeat(Math.ceil(wanted / Math.max(1, piece.length))).slice(0, wanted);
  }

  function number(whole: boolean, minimum = -Infinity): number {
    const fitting = NUMBERS.filter((value) => value >= minimum && (!whole || Number.isSafeInteger(value)));
    return pick(fitting, random);
  }

  function anything(depth = 0): unknown {
    const kind = random() % (depth > 4 ? 4 : 6);
    if (kind === 0) return null;
    if (kind === 1) return random() % 2 === 0;
    if (kind === 2) return number(false);
    if (kind === 3) return text(random() % 50);
    if (kind === 4) return Array.from({ length: random() % 4 }, () => anything(depth + 1));
    return fields(depth);
  }

  function fields(depth = 0): object {
    return Object.fromEntries(Array.from({ length: random() % 4 }, () => [pick(NAMES, random), anything(depth + 1)]));
  }

  function made(schema: Schema): unknown {
    if (schema.$ref !== undefined) return made((parts.get(schema.$ref.split("/").at(-1) ?? "") ?? {}) as Schema);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return made(pick(choices, random));
    if ("const" in schema) return schema.const;
    if (schema.enum !== undefined) return pick(schema.enum, random);
    const type = typeof schema.type === "string" || schema.type === undefined ? schema.type : pick(schema.type, random);
    if (type === "string") return text();
    if (type === "boolean") return random() % 2 === 0;
    if (type === "null") return null;
    if (type === "integer" || type === "number") return number(type === "integer", schema.minimum);
    if (type === "array") {
      const many = random() % 10 === 0 ? 1000 : random() % 4;
      return Array.from({ length: room < 1000 ? 0 : many }, () => made(schema.items ?? {}));
    }
    if (type !== "object") return anything();
    if (schema.properties === undefined) return fields();
    const present = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name) || random() % 3 > 0);
    return Object.fromEntries(present.map(([name, field]) => [name, made(field)]));
  }

  return {
    text,
    of(schema) {
      room = longest;
      return made(schema);
    },
    bytes() {
      room = longest;
      const bytes = Buffer.from(text());
      for (let i = 0; i < bytes.length; i += 1 + (random() % 97)) if (random() % 3 === 0) bytes[i] = random() % 256;
      return bytes;
    },
  };
}
