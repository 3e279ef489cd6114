import { isUtf8 } from "node:buffer";
import { masked, type Safe } from "../sink/index.ts";
import type { FindSecrets } from "./find-forms.ts";
import { masker } from "./masker.ts";
import { pieceMasker } from "./piece-masker.ts";

/** Masks an answer as it arrives. What may be the beginning of a secret waits for the rest. */
export interface AnswerMasker {
  push(bytes: Uint8Array): Safe<Content> | undefined;
  end(): Safe<Content> | undefined;
}

/** Bytes that are not text are written in base64. */
export type Content = { readonly text: string } | { readonly base64: string };

const PREFIX = Buffer.from("data: ");
const NEWLINE = 0x0a;

export function answerMasker(find: FindSecrets, isStream: boolean): AnswerMasker {
  const inner = find.longest === 0 ? plain : isStream ? eventMasker(find) : masker(find);
  let rest: Buffer = Buffer.alloc(0);

  function content(bytes: Uint8Array, isLast: boolean): Safe<Content> | undefined {
    const all = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
    const length = isLast ? all.length : wholeCharacters(all);
    rest = Buffer.from(all.subarray(length));
    const shown = all.subarray(0, length);
    if (shown.length === 0) return undefined;
    return masked(isUtf8(shown) ? { text: shown.toString("utf8") } : { base64: shown.toString("base64") });
  }

  return {
    push: (bytes) => content(inner.push(bytes).bytes, false),
    end: () => content(inner.end().bytes, true),
  };
}

interface Inner {
  push(bytes: Uint8Array): { readonly bytes: Uint8Array };
  end(): { readonly bytes: Uint8Array };
}

const plain: Inner = { push: (bytes) => ({ bytes }), end: () => ({ bytes: Buffer.alloc(0) }) };

/** A secret may come in pieces, one per event. The masker knows lines of JSON, so an event's first six bytes are put aside meanwhile. */
function eventMasker(find: FindSecrets): Inner {
  const lines = pieceMasker(find);
  let rest = Buffer.alloc(0);
  let [taken, given] = [0, 0];
  /** The places of the prefixes, as offsets in what the masker got. */
  let places: number[] = [];

  function bare(bytes: Buffer): Buffer {
    const found: Buffer[] = [];
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, start);
      const end = newline === -1 ? bytes.length : newline + 1;
      const line = bytes.subarray(start, end);
      const isEvent = line.subarray(0, PREFIX.length).equals(PREFIX);
      if (isEvent) places.push(taken);
      const shown = isEvent ? line.subarray(PREFIX.length) : line;
      taken += shown.length;
      found.push(shown);
      start = end;
    }
    return Buffer.concat(found);
  }

  function whole(bytes: Uint8Array): { readonly bytes: Buffer } {
    const found: Uint8Array[] = [];
    let from = 0;
    while (places[0] !== undefined && places[0] < given + bytes.length) {
      const at = (places.shift() ?? 0) - given;
      found.push(bytes.subarray(from, at), PREFIX);
      from = at;
    }
    given += bytes.length;
    return { bytes: Buffer.concat([...found, bytes.subarray(from)]) };
  }

  return {
    push(bytes) {
      const all = Buffer.concat([rest, bytes]);
      const end = all.lastIndexOf(NEWLINE) + 1;
      rest = Buffer.from(all.subarray(end));
      return end === 0 ? plain.end() : whole(lines.push(bare(all.subarray(0, end))).bytes);
    },
    end() {
      const first = rest.length === 0 ? Buffer.alloc(0) : whole(lines.push(bare(rest)).bytes).bytes;
      const last = whole(lines.end().bytes).bytes;
      const left = places.map(() => PREFIX); // of events without a byte
      places = [];
      return { bytes: Buffer.concat([first, last, ...left]) };
    },
  };
}

/** How many bytes there are up to the last whole character. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
