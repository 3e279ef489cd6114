import { damaged, type Pages } from "./pages.ts";

/** An integer that a number cannot hold is a bigint. */
export type Value = null | number | bigint | string | Uint8Array;

/** A variable-length integer: up to nine bytes, seven bits in each but the last. */
export function varint(view: DataView, at: number): readonly [value: number, next: number] {
  let value = 0;
  for (let n = 0; n < 8; n++) {
    const byte = byteAt(view, at + n);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + n + 1];
  }
  return [value * 256 + byteAt(view, at + 8), at + 9];
}

function byteAt(view: DataView, at: number): number {
  if (at >= view.byteLength) throw damaged("a number is cut off");
  return view.getUint8(at);
}

/** The rowid of a row, which is signed: a nine-byte varint with its first bit set is negative. */
export function rowidOf(view: DataView, at: number): readonly [rowid: number, next: number] {
  const [value, next] = varint(view, at);
  return [next - at === 9 && byteAt(view, at) >= 0xc0 ? value - 2 ** 64 : value, next];
}

/** The values of a record. A row may have fewer than its table has columns: they were added later. */
export function valuesOf(bytes: Uint8Array, { decode }: Pages, most = Number.POSITIVE_INFINITY): Value[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: Value[] = [];
  const [headerSize, start] = varint(view, 0);
  let body = headerSize;
  for (let at = start; at < headerSize && values.length < most; ) {
    const [type, next] = varint(view, at);
    at = next;
    const size = sizeOf(type);
    if (body + size > bytes.length) throw damaged("a record is cut off");
    values.push(decodedOf(type, view, body, size, decode, bytes));
    body += size;
  }
  return values;
}

const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function sizeOf(type: number): number {
  if (type >= 12) return (type - (type % 2 === 0 ? 12 : 13)) / 2;
  const size = SIZES[type];
  if (size === undefined) throw damaged("a value has an unknown type");
  return size;
}

function decodedOf(type: number, view: DataView, at: number, size: number, decode: Pages["decode"], bytes: Uint8Array): Value {
  if (type >= 12) return type % 2 === 0 ? bytes.slice(at, at + size) : decode(bytes.subarray(at, at + size));
  switch (type) {
    case 0:
      return null;
    case 1:
      return view.getInt8(at);
    case 2:
      return view.getInt16(at);
    case 3:
      return view.getInt8(at) * 65536 + view.getUint16(at + 1);
    case 4:
      return view.getInt32(at);
    case 5:
      return view.getInt16(at) * 2 ** 32 + view.getUint32(at + 2);
    case 6: {
      const value = view.getBigInt64(at);
      return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
    case 7:
      return view.getFloat64(at);
    case 8:
      return 0;
    default:
      return 1;
  }
}
